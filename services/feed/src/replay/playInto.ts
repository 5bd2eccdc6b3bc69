/**
 * Plays a recording into a server: each fact when it is due, in batches, its times moved to now. It owns pace and times; what the
 * facts are is the recording's, how they are sent the target's.
 */
import type { Fact, Receipt, Registration } from "@matchpoint/contracts/http/FeedApi"
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Effect } from "effect"
import type { Problem } from "../cs2/adapters/Adapter.ts"
import type { MatchCreated, Recording } from "../cs2/adapters/Recording.ts"
import { BATCH, FeedTarget, type TargetError } from "./FeedTarget.ts"

/** 10 is ten times as fast as it was; `max` is as fast as the server takes it. */
export type Speed = number | "max"

export interface Progress {
  readonly matchId: MatchId
  /** 0..1 of the recording. */
  readonly share: number
  /** Facts the server has taken. */
  readonly taken: number
  readonly state: MatchState | undefined
}

export interface Played extends Progress {
  /** What the recording holds that is no fact. */
  readonly problems: ReadonlyArray<Problem>
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
  const matchId = yield* target.register(registrationOf(recording.created))
  const played = play(target, recording, matchId, speed, onProgress)
  return yield* Effect.onInterrupt(played, () =>
    // Nobody will tell the rest: the match must not stay live for ever.
    target.end(matchId, { reason: "cancelled" }).pipe(Effect.timeout("2 seconds"), Effect.ignore({ log: "Warn" })),
  )
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
  const problems: Array<Problem> = []
  const refused: Array<Receipt["problems"][number]> = []
  let waiting: Array<Fact> = []
  let taken = 0
  let done = 0
  let state: MatchState | undefined

  const send = Effect.suspend(() => {
    const facts = waiting
    waiting = []
    return Effect.flatMap(target.send(matchId, facts), (receipts) => {
      for (const receipt of receipts) {
        taken += receipt.accepted
        refused.push(...receipt.problems)
      }
      return onProgress({ matchId, share: done / recording.length, taken, state })
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
    state = step.state
    done += 1
    if (waiting.length >= BATCH) yield* send
  }
  yield* send
  return { matchId, share: 1, taken, state, problems, refused }
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

const factOf = ({ id, observedAt, payload, source, type }: FeedEvent, toldAt: (at: number) => number): Fact => ({
  id,
  type,
  observedAt: toldAt(observedAt),
  source,
  payload: { ...payload },
})

const registrationOf = ({ bestOf, eventName, roster, rules, teams }: MatchCreated): Registration => ({
  bestOf,
  teams: [
    { id: teams[0].id, name: teams[0].name },
    { id: teams[1].id, name: teams[1].name },
  ],
  rules,
  ...(eventName === undefined ? {} : { eventName }),
  roster: (roster ?? []).map(({ name, nickname, playerId, teamId }) => ({
    playerId,
    team: teamId === teams[0].id ? (1 as const) : (2 as const),
    // A contract's name is trimmed and not empty; a player's need not be.
    nickname: nickname.trim() || playerId,
    ...(name === undefined ? {} : { name }),
  })),
})
