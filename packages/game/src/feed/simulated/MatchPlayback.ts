/**
 * Plays one simulated match: appends each of its facts to FEED when its time has come, after the last one that is
 * already in the stream. Determines the pace of the match and the order of its facts. `playMatches.ts` decides which
 * matches are played.
 *
 * The ids of the facts do not change between runs, so a match that is played twice, or again after a crash, leaves the
 * same facts in the stream.
 */
import type { Appended, LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Effect, Option, Schedule } from "effect"
import { feedPosition } from "./FeedPosition.ts"
import type { SimulatedFact, SimulatedGame, SimulatedMatch } from "./SimulatedGame.ts"

export interface Pace {
  /** Multiple of real time, or "max" to play without waiting. */
  readonly speed: number | "max"
  /** Match time, in milliseconds, from which a new match is played in real time. Earlier events are appended immediately. */
  readonly underwayMs: number
}

/** 100 ms, 200 ms and so on, up to 5 s, with jitter. */
export const backoff = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]).pipe(Schedule.jittered)

/** A smaller delay is made up for by appending events sooner. A larger one shifts all remaining events. */
const PATIENCE_MS = 1_000

export interface PlaybackWatch {
  /** `facts` counts the match's facts in FEED, and `offsetMs` is the match time of the newest one. */
  readonly onProgress: (facts: number, offsetMs: number) => void
  /** FEED contains all facts up to the present. Called at least once: before the first wait, or at the end of the match. */
  readonly onCaughtUp: () => void
}

/** Plays until the last fact is in FEED. Waits while the event log is unavailable. Fails if a retry cannot help. */
export const playMatch = Effect.fn("MatchPlayback.playMatch")(function* (
  game: SimulatedGame,
  match: SimulatedMatch,
  pace: Pace,
  { onCaughtUp, onProgress }: PlaybackWatch,
) {
  const clock = yield* Clock.Clock
  const readClock = () => wholeMillis(clock.currentTimeMillisUnsafe())
  yield* announce(match.matchId)
  const position = yield* feedPosition(game, match.matchId)
  const facts = game.factsOf(match)
  let ordinal = Option.isNone(position) ? 0 : position.value.ordinal
  const last = skip(facts, ordinal)
  const startedAt = readClock()
  // The due time of every event is computed from this pair of a match time and a real time. Events that were due before
  // playback started get the time at which they would have happened.
  let anchor = { offsetMs: pace.underwayMs, at: startedAt }
  let backfillUntil = startedAt
  if (Option.isSome(position) && last !== undefined) {
    anchor = { offsetMs: last.offsetMs, at: position.value.observedAt }
    backfillUntil = 0
    onProgress(ordinal, last.offsetMs)
  }

  for (const fact of facts) {
    const due = pace.speed === "max" ? startedAt : anchor.at + (fact.offsetMs - anchor.offsetMs) / pace.speed
    let now = readClock()
    if (due > now) {
      onCaughtUp()
      yield* Effect.sleep(due - now)
      now = readClock()
    }
    const backfilled = due < backfillUntil
    if (!backfilled && now - due > PATIENCE_MS) anchor = { offsetMs: fact.offsetMs, at: now }
    yield* append(fact.at({ observedAt: backfilled ? Math.max(0, Math.round(due)) : now, receivedAt: now }))
    ordinal += 1
    onProgress(ordinal, fact.offsetMs)
  }
  onCaughtUp()
})

/** Cancels a match that cannot be continued. The match service then closes it in the database. */
export const cancelMatch = Effect.fn("MatchPlayback.cancelMatch")(function* (game: SimulatedGame, match: SimulatedMatch) {
  const { matchId } = match
  const now = wholeMillis(yield* Clock.currentTimeMillis)
  const times = { observedAt: now, receivedAt: now }
  yield* announce(matchId)
  if (Option.isNone(yield* feedPosition(game, matchId))) {
    for (const created of game.factsOf(match).take(1)) yield* append(created.at(times))
  }
  yield* append(game.cancelled(matchId, times))
})

/** Times of feed events are whole milliseconds, and a clock may return fractions. */
const wholeMillis = (millis: number): number => Math.floor(millis)

/** Returns the last one skipped. */
const skip = (facts: Iterator<SimulatedFact>, count: number): SimulatedFact | undefined => {
  let last: SimulatedFact | undefined
  for (let i = 0; i < count; i++) {
    const step = facts.next()
    if (step.done === true) break
    last = step.value
  }
  return last
}

/** Happens every time playback starts or continues; a repeated announcement has no effect. */
const announce = (matchId: MatchId) => Effect.flatMap(FeedWriter, (writer) => persistently(writer.announce(matchId)))

const append = (event: GameEvent) => Effect.flatMap(FeedWriter, (writer) => persistently(writer.append(event)))

/** Retries until the record is stored, longer than the writer itself. Only retryable errors are retried. */
const persistently = (attempt: Effect.Effect<Appended, LogError>): Effect.Effect<Appended, LogError> =>
  attempt.pipe(
    Effect.tapError((error) => Effect.logWarning("the log does not accept a simulated fact", error)),
    Effect.retry({ schedule: backoff, while: (error) => error.retryable }),
  )
