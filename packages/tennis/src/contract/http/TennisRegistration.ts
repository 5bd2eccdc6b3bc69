/** Body of `POST /feed/v1/tennis/matches`. Facts are described in docs/games/tennis/live.md. */
import { registrationFields } from "@matchpoint/contracts/http/feed/FactsApi"
import { Schema } from "effect"
import { TournamentSheet } from "../../rules/live/feedEvents.ts"
import { MatchFormat } from "../../rules/live/format.ts"
import { PlayerId, Tour } from "../../rules/live/registry.ts"

const optional = Schema.optionalKey
const tournament = TournamentSheet.fields
const { bestOf, doubles, finalSet, noAd } = MatchFormat.fields
const Name = tournament.name.check(Schema.isTrimmed(), Schema.isMinLength(1))

const RegistrationSide = Schema.Struct({
  /** One player, or two in doubles. */
  players: Schema.Array(Schema.Struct({ id: optional(Schema.NullOr(PlayerId)), name: Name })).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(2),
  ),
})

export const TennisRegistration = Schema.Struct({
  ...registrationFields,
  tour: Tour,
  tournament: Schema.Struct({
    name: Name,
    /** Edition in the archive, such as `atp_2023-580`. */
    editionId: optional(tournament.editionId),
    surface: optional(tournament.surface),
    level: optional(tournament.level),
    drawSize: optional(tournament.drawSize),
    round: optional(tournament.round),
  }),
  /** Default: singles, best of three sets, with a tie-break to 7 in every set. */
  format: optional(
    Schema.Struct({ bestOf: optional(bestOf), finalSet: optional(finalSet), noAd: optional(noAd), doubles: optional(doubles) }),
  ),
  sides: Schema.Tuple([RegistrationSide, RegistrationSide]),
})
export type TennisRegistration = typeof TennisRegistration.Type
