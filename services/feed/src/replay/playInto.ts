/**
 * Plays a recording into a server: each fact when it is due, in batches, its times moved to now. It owns pace and times; what the
 * facts are is the recording's, how they are sent the target's.
 */
import type { Fact, Receipt } from "@matchpoint/contracts/http/feed/FactsApi"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Effect } from "effect"
import type { FactProblem } from "../GameFeed.ts"
import { BATCH, FeedTarget, type TargetError } from "./FeedTarget.ts"
import type { RecordedEvent, Recording, RecordingStep } from "./Recording.ts"

/** 10 is ten times as fast as it was; `max` is as fast as the server takes it. */
export type Speed = number | "max"

export interface Progress {
  readonly matchId: MatchId
  /** 0..1 of the recording. */
  readonly share: number
  /** Facts the server has taken. */
  readonly taken: number
  /** The last piece that was played. */
  readonly step: RecordingStep | undefined
}

export interface Played extends Progress {
  /** What the recording holds that is no fact. */
  readonly problems: ReadonlyArray<FactProblem>
  /** What the server did not take. */
  readonly refused: ReadonlyArray<Receipt["problems"][number]>
}

/** Facts that are due within this time leave together. */
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
    // Nobody will tell the rest: the match must not stay live for ever.
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
        refused.push(...receipt.problems)
      }
      return onProgress({ matchId, share: done / recording.length, taken, step: last })
    })
  })

  for (const step of recording.play(matchId)) {
    const due = timing.dueAt(step.at)
    const now = yield* Clock.currentTimeMillis
    if (due > now + BATCH_MS) {
      if (waiting.length > 0) yield* send
      yield* Effect.sleep(due - now)
    }
    for (const event of step.events) waiting.push(factOf(event, timing.toldAt))
    problems.push(...step.problems)
    last = step
    done += 1
    if (waiting.length >= BATCH) yield* send
  }
  yield* send
  return { matchId, share: 1, taken, step: last, problems, refused }
})

interface Timing {
  /** When a moment of the recording is played, epoch milliseconds; 0 for "at once". */
  readonly dueAt: (at: number) => number
  /** The time a fact is told with. */
  readonly toldAt: (at: number) => number
}

/**
 * Played against the clock a fact's time is the time it is told. At `max` it keeps its distance to the others, and the whole match
 * lies before now: what is judged by time (trades, the bomb's clock) comes out as it was.
 */
const timingOf = ({ endedAt, startedAt: recordedFrom }: Recording, speed: Speed, now: number): Timing => {
  if (speed === "max") return { dueAt: () => 0, toldAt: (at) => Math.max(0, at - endedAt + now) }
  const moved = (at: number) => Math.max(0, Math.floor(now + (at - recordedFrom) / speed))
  return { dueAt: moved, toldAt: moved }
}

const factOf = ({ id, observedAt, payload, source, type }: RecordedEvent, toldAt: (at: number) => number): Fact => ({
  id,
  type,
  observedAt: toldAt(observedAt),
  source,
  payload: { ...payload },
})
