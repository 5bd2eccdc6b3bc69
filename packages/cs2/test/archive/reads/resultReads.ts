/**
 * Tests numbers computed from results of teams, players and events. Other content of their pages is tested over HTTP.
 */
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { EventArchive } from "../../../src/archive/events/EventArchive.ts"
import { PlayerArchive } from "../../../src/archive/players/PlayerArchive.ts"
import { TeamArchive } from "../../../src/archive/teams/TeamArchive.ts"
import { sample } from "../fixtures/sampleArchive.ts"
import type { ArchiveIt } from "../sampled.ts"

const counted = Effect.gen(function* () {
  const team = Option.getOrThrow(yield* (yield* TeamArchive).profile("alpha-wolves"))
  const trends = Option.getOrThrow(yield* (yield* TeamArchive).trends("alpha-wolves", "month", {}))
  const player = Option.getOrThrow(yield* (yield* PlayerArchive).career("p101"))
  const event = Option.getOrThrow(yield* (yield* EventArchive).one("spring-major"))
  return [
    team.stats.matches,
    trends.periods.reduce((sum, { matches }) => sum + matches, 0),
    player.totals.matches,
    event.stats?.matches ?? 0,
    event.standings.find(({ teamId }) => teamId === "cs2-team-1")?.matchesWon ?? 0,
  ]
})

class RolledBack {
  readonly _tag = "RolledBack"
}

export const resultReads = (it: ArchiveIt) => {
  it.effect("a result counts one minute after the end, when every plan may see it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = yield* counted
      const endedAgo = (seconds: number) => sql`
        UPDATE cs2_series SET status = 'completed', ends_at = now() - ${`${seconds} seconds`}::interval, winner_team_number = 1
        WHERE match_number = ${sample.matches.upcoming}`
      yield* Effect.gen(function* () {
        yield* sql`
          INSERT INTO cs2_lineups (match_number, team_number, player_number, played_at)
          VALUES (${sample.matches.upcoming}, 1, 101, now())`
        yield* endedAgo(55)
        assert.deepStrictEqual(yield* counted, before)
        yield* endedAgo(65)
        assert.deepStrictEqual(
          yield* counted,
          before.map((count) => count + 1),
        )
        return yield* Effect.fail(new RolledBack())
      }).pipe(
        sql.withTransaction,
        Effect.catchTag("RolledBack", () => Effect.void),
      )
      assert.deepStrictEqual(yield* counted, before)
    }),
  )
}
