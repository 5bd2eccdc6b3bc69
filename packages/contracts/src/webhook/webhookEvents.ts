/**
 * Events that customers receive as webhooks, for any game: names that all games share, ids, and the two forms of the
 * request body. The folder of each game defines the names and the data of its own events.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

/** Names of the events that all games share. A game reports those that it knows. */
export const genericEventNames = [
  "match.started",
  "match.ended",
  "match.updated",
  "player.elimination",
  "player.kill",
  "tournament.started",
  "tournament.ended",
  "round.ended",
] as const

/** Name of the event that a customer requests to test a webhook. It cannot be subscribed to. */
export const TEST_EVENT = "webhook.test"

/** An event derived from one change of a match. At most one event of each name is derived from a change. */
export interface WebhookEvent {
  readonly name: string
  /** Time of the event in epoch milliseconds, according to the clock of the feed. */
  readonly occurredAt: number
  /** Ids by which customers can filter events. An event that concerns no player has no player ids. */
  readonly teamIds: ReadonlyArray<string>
  readonly playerIds: ReadonlyArray<string>
  readonly data: Schema.JsonObject
}

/**
 * Returns the id of an event of a match. It depends only on the change and the name, so an event that is derived again
 * after a crash has the same id.
 */
export const matchEventId = (matchId: MatchId, epoch: number, seq: number, name: string): string => `evt_${matchId}.${epoch}.${seq}.${name}`

/** Returns true for events whose body has `created_at`. Bodies of a game's own events have `timestamp` instead. */
export const isGeneric = (name: string): boolean => name === TEST_EVENT || genericEventNames.some((generic) => generic === name)

/** Body of an event that all games share. `created_at` is the time of the event. */
export const GenericBody = Schema.Struct({
  id: Schema.String,
  event: Schema.String,
  created_at: Schema.String,
  data: Schema.Record(Schema.String, Schema.Json),
}).annotate({ identifier: "WebhookBody" })

/** Body of a game's own event. `timestamp` is the time of the event. */
export const GameBody = Schema.Struct({
  event: Schema.String,
  id: Schema.String,
  timestamp: Schema.String,
  data: Schema.Record(Schema.String, Schema.Json),
}).annotate({ identifier: "WebhookGameBody" })

/** Returns the text of the request body. It is the same for every receiver and every attempt. `data` is JSON text. */
export const bodyText = (id: string, name: string, occurredAt: number, data: string): string => {
  const time = new Date(occurredAt).toISOString()
  return isGeneric(name)
    ? `{"id":${JSON.stringify(id)},"event":${JSON.stringify(name)},"created_at":"${time}","data":${data}}`
    : `{"event":${JSON.stringify(name)},"id":${JSON.stringify(id)},"timestamp":"${time}","data":${data}}`
}
