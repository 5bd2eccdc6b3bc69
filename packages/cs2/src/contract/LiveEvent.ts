/** Events of a live match, such as kills. Each message of a live channel has the new ones, `/events` all of them. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { PlayerId } from "../rules/ids.ts"
import { LiveSource } from "./LiveMatch.ts"

const nullable = Schema.NullOr

export const LiveEventType = Schema.Literals([
  "Kill",
  "BombPlanted",
  "BombDefused",
  "BombExploded",
  "RoundStart",
  "RoundEnd",
  "MapStart",
  "MapRestart",
  "MapEnd",
  "Timeout",
  "MatchEnd",
  "SourceChange",
])
export type LiveEventType = typeof LiveEventType.Type

export const LiveEvent = Schema.Struct({
  eventId: Schema.String,
  eventType: LiveEventType,
  mapNumber: Schema.Natural,
  round: Schema.Natural,
  clockSeconds: nullable(Schema.Natural),
  /** Player who caused the event: the killer, planter or defuser. */
  playerId: nullable(PlayerId),
  playerName: nullable(Schema.String),
  playerNick: nullable(Schema.String),
  /** Number of CT players alive after the event. */
  ctPlayers: Schema.Natural,
  tPlayers: Schema.Natural,
  bombSite: nullable(Schema.Literals(["A", "B"])),
  /** Fields that only events of this type have. */
  payload: Schema.Record(Schema.String, Schema.Unknown),
  source: LiveSource,
  observedAt: Timestamp,
})
export type LiveEvent = typeof LiveEvent.Type
