/** Ids that live matches and the archive share. Each is the slug of a name. */
import { Schema } from "effect"

const slug = Schema.String.check(Schema.isPattern(/^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/u))

/** Slug of the handle. */
export const PlayerId = slug.pipe(Schema.brand("CodPlayerId"))
export type PlayerId = typeof PlayerId.Type

/** Id such as `optic-texas`. */
export const TeamSlug = slug.pipe(Schema.brand("CodTeamSlug"))
export type TeamSlug = typeof TeamSlug.Type

/** Id such as `2026-major-1`. */
export const TournamentId = Schema.String.check(Schema.isPattern(/^[0-9]{4}-[a-z0-9-]{1,90}$/u)).pipe(Schema.brand("CodTournamentId"))
export type TournamentId = typeof TournamentId.Type
