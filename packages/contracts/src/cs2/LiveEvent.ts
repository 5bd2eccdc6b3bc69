/** What happened, as a row: kills, bomb, rounds, maps. Travels in the head of a frame; `/events` lists them. */
import { PlayerId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { Timestamp } from "../timestamp.ts"
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
  /** Who did it: the killer, the planter, the defuser. */
  playerId: nullable(PlayerId),
  playerName: nullable(Schema.String),
  playerNick: nullable(Schema.String),
  /** Living players after it. */
  ctPlayers: Schema.Natural,
  tPlayers: Schema.Natural,
  bombSite: nullable(Schema.Literals(["A", "B"])),
  /** Fields of this type of event. */
  payload: Schema.Record(Schema.String, Schema.Unknown),
  source: LiveSource,
  observedAt: Timestamp,
})
export type LiveEvent = typeof LiveEvent.Type
