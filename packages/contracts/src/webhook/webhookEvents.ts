/**
 * Webhook events of any game: shared names, ids, and the two forms of the body. Each game defines the names and data of
 * its own events.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

/** A game reports those that it knows. */
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

/** A customer requests it to test a webhook. It cannot be subscribed to. */
export const TEST_EVENT = "webhook.test"

/** At most one event of each name is derived from one change of a match. */
export interface WebhookEvent {
  readonly name: string
  /** Epoch milliseconds by the clock of the feed. */
  readonly occurredAt: number
  /** Ids for filters. An event that concerns no player has no player ids. */
  readonly teamIds: ReadonlyArray<string>
  readonly playerIds: ReadonlyArray<string>
  readonly data: Schema.JsonObject
}

/** Depends only on the change and the name, so an event that is derived again after a crash has the same id. */
export const matchEventId = (matchId: MatchId, epoch: number, seq: number, name: string): string => `evt_${matchId}.${epoch}.${seq}.${name}`

/** True for events whose body has `created_at`. A game's own events have `timestamp` instead. */
export const isGeneric = (name: string): boolean => name === TEST_EVENT || genericEventNames.some((generic) => generic === name)

export const GenericBody = Schema.Struct({
  id: Schema.String,
  event: Schema.String,
  created_at: Schema.String,
  data: Schema.Record(Schema.String, Schema.Json),
}).annotate({ identifier: "WebhookBody" })

export const GameBody = Schema.Struct({
  event: Schema.String,
  id: Schema.String,
  timestamp: Schema.String,
  data: Schema.Record(Schema.String, Schema.Json),
}).annotate({ identifier: "WebhookGameBody" })

/** The same for every receiver and every attempt. `data` is JSON text. */
export const bodyText = (id: string, name: string, occurredAt: number, data: string): string => {
  const time = new Date(occurredAt).toISOString()
  return isGeneric(name)
    ? `{"id":${JSON.stringify(id)},"event":${JSON.stringify(name)},"created_at":"${time}","data":${data}}`
    : `{"event":${JSON.stringify(name)},"id":${JSON.stringify(id)},"timestamp":"${time}","data":${data}}`
}
