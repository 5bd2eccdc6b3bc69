/** Ids and fixed values of tennis that live matches and the archive share. All other code treats ids as opaque. */
import { Schema } from "effect"

export const Tour = Schema.Literals(["atp", "wta"])
export type Tour = typeof Tour.Type

/** `<tour>_<n>`, with the number of the archive. */
export const PlayerId = Schema.String.check(Schema.isPattern(/^(?:atp|wta)_[1-9][0-9]{0,8}$/u)).pipe(Schema.brand("TennisPlayerId"))
export type PlayerId = typeof PlayerId.Type

/** A tournament in one year: `<tour>_<tournament id of the archive>`, such as `atp_2023-580`. */
export const EditionId = Schema.String.check(Schema.isPattern(/^(?:atp|wta)_[0-9]{4}-[A-Za-z0-9._-]{1,60}$/u)).pipe(
  Schema.brand("TennisEditionId"),
)
export type EditionId = typeof EditionId.Type

/** Surfaces as the archive writes them. */
export const Surface = Schema.Literals(["Hard", "Clay", "Grass", "Carpet"])
export type Surface = typeof Surface.Type

export const playerId = (tour: Tour, number: number): PlayerId => PlayerId.make(`${tour}_${number}`)
export const editionId = (tour: Tour, tournamentId: string): EditionId => EditionId.make(`${tour}_${tournamentId}`)

/** Tournament id of the archive that an edition id contains. */
export const tournamentIdOf = (id: EditionId): string => id.slice(id.indexOf("_") + 1)
