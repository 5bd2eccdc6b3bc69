// Owns the list of recorded real matches and the LIVE records that each of them produces.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { createdEvent } from "@matchpoint/cs2/feed/adapters/Recording"
import { cs2Recordings } from "@matchpoint/cs2/feed/replay/cs2Recordings"
import { MatchEncoder } from "@matchpoint/cs2/live/encode/MatchEncoder"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { recognize } from "@matchpoint/service-feed/replay/recognize"
import { Result } from "effect"

/** Lists the paths of recordings below the data directory. */
export const realMatches = (dataDirectory: string): ReadonlyArray<string> =>
  ["matches", "logs", "scorebot", "gsi"].flatMap((folder) =>
    readdirSync(join(dataDirectory, "cs2", folder))
      .filter((name) => /\.(json|log|ndjson)(\.gz)?$/.test(name))
      .sort()
      .map((name) => join("cs2", folder, name)),
  )

/** Returns the facts of a file, including its first one, in the order in which they were reported. */
export const factsOf = (dataDirectory: string, path: string): ReadonlyArray<FeedEvent> => {
  const recording = Result.getOrThrow(recognize([cs2Recordings], readFileSync(join(dataDirectory, path))))
  const id = matchId(1)
  const events: Array<FeedEvent> = [createdEvent(id, recording.created, recording.startedAt)]
  for (const step of recording.play(id)) events.push(...step.events)
  return events
}

export interface Change {
  readonly event: FeedEvent
  readonly state: MatchState
  readonly record: Uint8Array
}

/** Yields the records that a match actor publishes for facts. */
export function* changesOf(events: Iterable<FeedEvent>): Iterable<Change> {
  const encoder = new MatchEncoder()
  let state: MatchState | undefined
  for (const event of events) {
    const step = fold(state, event)
    if (step._tag === "Rejected") continue
    yield { event, state: step.state, record: encoder.encode(state, step.state, event) }
    state = step.state
  }
}

/** Returns a record as the log would deliver it. */
export const liveRecord = (
  id: MatchId,
  { epoch, seq }: MatchState,
  data: Uint8Array,
  sequence: number,
  appendedAt = 1_800_000_000_000,
) => ({
  subject: liveSubject(id),
  id: liveMessageId(id, epoch, seq),
  sequence,
  data,
  appendedAt,
})
