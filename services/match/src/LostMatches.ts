/**
 * Matches that the register says are on, and of which the log has lost what they need to go on: FEED or the whole log was deleted while the
 * database stayed. Looked for once, at start. What can go on is announced again; what cannot is ended, so that it is not live forever.
 * It never touches a match of which FEED has facts and that is announced.
 */
import { EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { DIRECTORY, directorySubject, FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { Matches, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, DateTime, Effect, Fiber, Layer, Option, Schedule } from "effect"
import type { LiveGame } from "./LiveGame.ts"
import { MatchCheckpoints } from "./MatchCheckpoints.ts"

interface Remains {
  readonly status: RegisteredMatch["status"]
  /** DIRECTORY names it. */
  readonly announced: boolean
  /** FEED has records of it. */
  readonly facts: boolean
  /** The store has a state of it. */
  readonly checkpoint: boolean
}

/** `begin`: nothing was played yet, so the register's first event is as good as the lost one. */
export type Fate = "goes on" | "announce" | "begin" | "end"

export const fateOf = ({ announced, checkpoint, facts, status }: Remains): Fate => {
  if (facts || checkpoint) return announced ? "goes on" : "announce"
  return status === "scheduled" ? "begin" : "end"
}

/** The start waits for so long. The rest happens when log and store are there. */
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
      `${matchId}: the log has lost ${facts ? "its announcement" : "its facts"}; it goes on from ${facts ? "FEED" : checkpoint ? "its checkpoint" : "the register"}`,
    )
  }
  yield* matches.finish(matchId, DateTime.makeUnsafe(now), "cancelled", null)
  yield* Effect.logError(`${matchId}: the log has lost its facts and there is no checkpoint; it cannot go on and is ended as cancelled`)
})

const lookAfterAll = Effect.fnUntraced(function* (games: ReadonlyArray<LiveGame>) {
  const matches = yield* Matches
  for (const game of games) {
    for (const row of yield* matches.listActive(game.rules.game)) yield* lookAfter(game, row)
  }
})

export class LostMatches {
  /** Before the supervisor and the feeds: they find a register that agrees with the log. */
  static readonly layer = (games: ReadonlyArray<LiveGame>) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const looking = yield* lookAfterAll(games).pipe(
          Effect.tapError((error: LogError | StoreError) =>
            Effect.logWarning("lost matches cannot be looked for yet; trying again", error),
          ),
          Effect.retry(again),
          Effect.forkScoped,
        )
        yield* Effect.timeoutOption(Fiber.await(looking), START_WAITS)
      }),
    ).pipe(Layer.provide(FeedWriter.layer))
}
