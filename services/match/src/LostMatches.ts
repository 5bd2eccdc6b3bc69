/**
 * Finds active matches that cannot continue because the database was kept but the log, or FEED, was deleted. Runs once,
 * at startup. Matches that can continue are announced again; others are ended, so that they do not remain live forever.
 * An announced match that still has events in FEED is never changed.
 */
import { EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { DIRECTORY, directorySubject, FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { Matches, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, DateTime, Effect, Fiber, Layer, Option, Schedule } from "effect"

interface Remains {
  readonly status: RegisteredMatch["status"]
  readonly announced: boolean
  readonly facts: boolean
  readonly checkpoint: boolean
}

/**
 * What to do with a match whose log data may be lost:
 * - `goes on`: nothing.
 * - `announce`: announce it again.
 * - `begin`: start it again from its row in the register. Nothing is lost, because it has not started.
 * - `end`: end it as cancelled.
 */
export type Fate = "goes on" | "announce" | "begin" | "end"

export const fateOf = ({ announced, checkpoint, facts, status }: Remains): Fate => {
  if (facts || checkpoint) return announced ? "goes on" : "announce"
  return status === "scheduled" ? "begin" : "end"
}

/** Longest delay of the startup. If the log or the database is unavailable for longer, the check continues in the background. */
const START_WAITS = "5 seconds"

const again = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")])

const lookAfter = Effect.fn("LostMatches.lookAfter")(function* (game: LiveGame, row: RegisteredMatch) {
  const log = yield* EventLog
  const writer = yield* FeedWriter
  const matches = yield* Matches
  const checkpoints = yield* MatchCheckpoints
  const { matchId, status } = row
  const announced = Option.isSome(yield* log.last(DIRECTORY, directorySubject(matchId)))
  const facts = Option.isSome(yield* log.last(FEED, feedSubject(matchId)))
  if (announced && facts) return
  const checkpoint = (yield* checkpoints.load(game.rules, matchId)) !== undefined
  const now = yield* Clock.currentTimeMillis
  const fate = fateOf({ status, announced, facts, checkpoint })
  if (fate === "goes on") return
  const created = fate === "begin" ? game.createdAgain(row, matchId, Math.floor(now)) : undefined
  if (created !== undefined) yield* writer.append(created)
  if (fate === "announce" || created !== undefined) {
    yield* writer.announce(matchId)
    return yield* Effect.logWarning(
      `${matchId}: the log has lost ${facts ? "its announcement" : "its facts"}; continuing from ${facts ? "FEED" : checkpoint ? "its checkpoint" : "the register"}`,
    )
  }
  yield* matches.finish(matchId, DateTime.makeUnsafe(now), "cancelled", null)
  yield* Effect.logError(
    `${matchId}: the log has lost its facts and there is no checkpoint; the match cannot continue and is ended as cancelled`,
  )
})

const lookAfterAll = Effect.fnUntraced(function* (games: ReadonlyArray<LiveGame>) {
  const matches = yield* Matches
  for (const game of games) {
    for (const row of yield* matches.listActive(game.rules.game)) yield* lookAfter(game, row)
  }
})

export class LostMatches {
  /** Must be built before the match supervisor and the feeds, so that the register is consistent with the log when they start. */
  static readonly layer = (games: ReadonlyArray<LiveGame>) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const looking = yield* lookAfterAll(games).pipe(
          Effect.tapError((error: LogError | StoreError) => Effect.logWarning("cannot check for lost matches yet; retrying", error)),
          Effect.retry(again),
          Effect.forkScoped,
        )
        yield* Effect.timeoutOption(Fiber.await(looking), START_WAITS)
      }),
    ).pipe(Layer.provide(FeedWriter.layer))
}
