/** Body of `POST /feed/v1/apex/matches`. Facts are described in docs/games/apex/live.md. */
import { registrationFields } from "@matchpoint/contracts/http/feed/FactsApi"
import { Schema } from "effect"
import { LobbySheet, PlayerSheet, TeamSheet } from "../../rules/live/lobby.ts"

const optional = Schema.optionalKey
const { format, name, region, stage, tournament } = LobbySheet.fields
const trimmed = name.check(Schema.isTrimmed())

export const ApexRegistration = Schema.Struct({
  ...registrationFields,
  name: trimmed,
  stage: optional(stage),
  region: optional(region),
  tournament: Schema.Struct({
    name: trimmed,
    /** Tournament of the archive. */
    id: optional(tournament.fields.id),
  }),
  /** Default: six games, total points decide. */
  format: optional(Schema.Struct({ games: optional(format.fields.games), matchPoint: optional(format.fields.matchPoint) })),
  teams: Schema.Array(
    Schema.Struct({
      name: trimmed,
      id: optional(TeamSheet.fields.id),
      players: Schema.Array(Schema.Struct({ name: trimmed, id: optional(PlayerSheet.fields.id) })).check(
        Schema.isMinLength(1),
        Schema.isMaxLength(3),
      ),
    }),
  ).check(Schema.isMinLength(2), Schema.isMaxLength(20)),
})
export type ApexRegistration = typeof ApexRegistration.Type
