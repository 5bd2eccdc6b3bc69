/**
 * Retries parked match results (results that the database has rejected) when an operator requests it. By then the actor
 * has ended, so the result is computed from the checkpoint. Also counts parked writes in a metric.
 */
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { runOrPark } from "@matchpoint/game/live/parking"
import { Matches } from "@matchpoint/store/live/Matches"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Layer, Metric } from "effect"
import { MatchRegister } from "./actor/MatchRegister.ts"

export const parkedWrites = Metric.gauge("matchpoint_match_writes_parked", {
  description: "Parked match writes that wait for an operator",
})

/** Each result for which a retry was requested is tried once. */
export const retryResults = Effect.fn("ParkedResults.retry")(function* (games: ReadonlyMap<string, LiveGame>) {
  const parked = yield* ParkedMatches
  for (const matchId of yield* parked.due("result")) {
    const game = games.get(gameOfMatch(matchId))
    // The process that runs the game retries it.
    if (game !== undefined) yield* runOrPark(matchId, "result", finish(game, matchId))
  }
  const { total } = yield* parked.list({ limit: 1, offset: 0 })
  yield* Metric.update(parkedWrites, total)
})

const finish = Effect.fnUntraced(function* (game: LiveGame, matchId: MatchId) {
  const state = (yield* (yield* MatchCheckpoints).load(game.rules, matchId))?.state
  if (state === undefined) {
    return yield* new StoreError({
      operation: "Checkpoints.load",
      cause: new Error("the match has no checkpoint that this version can read"),
    })
  }
  yield* new MatchRegister(yield* Matches, game).finish(state)
})

export class ParkedResults {
  static readonly layer = (games: ReadonlyArray<LiveGame>) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const { parkedEvery } = yield* MatchConfig
        const byGame = new Map(games.map((game) => [game.rules.game as string, game]))
        yield* retryResults(byGame).pipe(
          Effect.catch((error) => Effect.logWarning("cannot retry parked results; trying again soon", error)),
          Effect.delay(parkedEvery),
          Effect.forever,
          Effect.annotateLogs({ service: "match" }),
          Effect.forkScoped,
        )
      }),
    )
}
