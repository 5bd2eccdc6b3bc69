/** Body of `POST /feed/v1/cod/matches`. Facts are described in docs/games/cod/live.md. */
import { registrationFields } from "@matchpoint/contracts/http/feed/FactsApi"
import { Schema } from "effect"
import { MapSheet, PlayerSheet, TeamSheet, TournamentSheet } from "../../rules/live/feedEvents.ts"
import { BestOf, MAX_ROSTER, TEAM_SIZE } from "../../rules/live/format.ts"

const optional = Schema.optionalKey
const Name = TournamentSheet.fields.name.check(Schema.isTrimmed(), Schema.isMinLength(1))

const RegistrationTeam = Schema.Struct({
  name: Name,
  /** Id in the archive. Default: the slug of the name. Null if the archive does not have the team. */
  slug: optional(TeamSheet.fields.slug),
  /** The first four players start; others are substitutes. Default id: the slug of the handle. */
  players: Schema.Array(Schema.Struct({ ign: Name, id: optional(PlayerSheet.fields.id) })).check(
    Schema.isMinLength(TEAM_SIZE),
    Schema.isMaxLength(MAX_ROSTER),
  ),
})

export const CodRegistration = Schema.Struct({
  ...registrationFields,
  tournament: Schema.Struct({
    name: Name,
    /** Id in the archive, such as `2026-major-1`. */
    id: optional(TournamentSheet.fields.id),
    round: optional(TournamentSheet.fields.round),
    isLan: optional(TournamentSheet.fields.isLan),
  }),
  /** Default: 5. */
  bestOf: optional(BestOf),
  teams: Schema.Tuple([RegistrationTeam, RegistrationTeam]),
  /** Maps in the order of the veto, if it is known. `MapsChosen` can send them later. */
  maps: optional(
    Schema.Array(Schema.Struct({ name: Name, mode: MapSheet.fields.mode, pickedBy: optional(MapSheet.fields.pickedBy) })).check(
      Schema.isMaxLength(7),
    ),
  ),
})
export type CodRegistration = typeof CodRegistration.Type
