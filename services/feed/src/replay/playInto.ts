/** When the events of a recording are sent, and which times they get: in batches when they are due, moved to the present. */
import type { Fact, Receipt } from "@matchpoint/contracts/http/feed/FactsApi"
import type { MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import type { FactProblem } from "@matchpoint/game/feed/GameFeed"
import type { RecordedEvent, Recording, RecordingStep } from "@matchpoint/game/feed/replay/Recording"
import { Clock, Effect } from "effect"
import { BATCH, FeedTarget, type TargetError } from "./FeedTarget.ts"

/** Multiple of the original speed, or as fast as the server accepts the events. */
export type Speed = number | "max"

export interface Progress {
  readonly matchId: MatchId
  /** Replayed part of the recording, 0 to 1. */
  readonly share: number
  /** Events that the server has accepted. */
  readonly taken: number
  /** The last step, or undefined before the first. */
  readonly step: RecordingStep | undefined
}

export interface Played extends Progress {
  /** Parts of the recording that could not be converted to events. */
  readonly problems: ReadonlyArray<FactProblem>
  /** Events that the server rejected, with the reasons. */
  readonly refused: ReadonlyArray<Receipt["problems"][number]>
}

/** Events that become due within this time are sent together. */
const BATCH_MS = 50

export const playInto = Effect.fn("playInto")(function* (
  recording: Recording,
  speed: Speed,
  onProgress: (progress: Progress) => Effect.Effect<void>,
) {
  const target = yield* FeedTarget
  const matchId = yield* target.register(recording.game, recording.registration)
  const played = play(target, recording, matchId, speed, onProgress)
  return yield* Effect.onInterrupt(played, () =>
    // The remaining events will never be sent, and the match would stay live forever.
    cancel(target, recording, matchId).pipe(Effect.timeout("2 seconds"), Effect.ignore({ log: "Warn" })),
  )
})

const cancel = Effect.fnUntraced(function* (target: FeedTarget["Service"], recording: Recording, matchId: MatchId) {
  yield* target.send(matchId, [recording.cancelled(Math.floor(yield* Clock.currentTimeMillis))])
})

const play = Effect.fnUntraced(function* (
  target: FeedTarget["Service"],
  recording: Recording,
  matchId: MatchId,
  speed: Speed,
  onProgress: (progress: Progress) => Effect.Effect<void>,
): Effect.fn.Return<Played, TargetError> {
  const startedAt = Math.floor(yield* Clock.currentTimeMillis)
  const monotonic = monotonicOf(yield* Clock.Clock)
  const begunAt = monotonic()
  const timing = timingOf(recording, speed, startedAt)
  const problems: Array<FactProblem> = []
  const refused: Array<Receipt["problems"][number]> = []
  let waiting: Array<Fact> = []
  let taken = 0
  let done = 0
  let last: RecordingStep | undefined

  const send = Effect.suspend(() => {
    const facts = waiting
    waiting = []
    return Effect.flatMap(target.send(matchId, facts), (receipts) => {
      for (const receipt of receipts) {
        taken += receipt.accepted
        for (const problem of receipt.problems) refused.push(problem)
      }
      return onProgress({ matchId, share: done / recording.length, taken, step: last })
    })
  })

  for (const step of recording.play(matchId)) {
    const due = timing.dueAt(step.at)
    const now = startedAt + (monotonic() - begunAt)
    if (due > now + BATCH_MS) {
      if (waiting.length > 0) yield* send
      yield* Effect.sleep(due - now)
    }
    for (const event of step.events) waiting.push(factOf(event, timing.sentAt))
    for (const problem of step.problems) problems.push(problem)
    last = step
    done += 1
    if (waiting.length >= BATCH) yield* send
  }
  yield* send
  return { matchId, share: 1, taken, step: last, problems, refused }
})

interface Timing {
  /** When to send the events of a time in the recording, in epoch milliseconds; 0 for at once. */
  readonly dueAt: (at: number) => number
  /** The time that a sent event carries. */
  readonly sentAt: (at: number) => number
}

/**
 * With a numeric speed, an event carries the time at which it is sent. With `max`, events keep their original intervals
 * and the whole match lies in the past. Rules that depend on time, such as those for trade kills and the bomb timer,
 * then give the original results.
 */
const timingOf = ({ endedAt, startedAt: recordedFrom }: Recording, speed: Speed, now: number): Timing => {
  if (speed === "max") return { dueAt: () => 0, sentAt: (at) => Math.max(0, at - endedAt + now) }
  const moved = (at: number) => Math.max(0, Math.floor(now + (at - recordedFrom) / speed))
  return { dueAt: moved, sentAt: moved }
}

const factOf = ({ id, observedAt, payload, source, type }: RecordedEvent, sentAt: (at: number) => number): Fact => ({
  id,
  type,
  observedAt: sentAt(observedAt),
  source,
  payload: { ...payload },
})
