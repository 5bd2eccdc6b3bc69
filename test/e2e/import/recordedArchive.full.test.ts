/**
 * Tests all recorded match data in one archive after one run of maintenance, against the files. Checks what an informed
 * follower of the game would expect. Skipped with a message if there is no data folder.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer, type Vitest } from "@effect/vitest"
import { Rankings } from "@matchpoint/cs2/archive/rankings/Rankings"
import { Transfers } from "@matchpoint/cs2/archive/rosters/Transfers"
import { PlayerStats } from "@matchpoint/cs2/archive/stats/PlayerStats"
import { TeamArchive } from "@matchpoint/cs2/archive/teams/TeamArchive"
import { cs2Imports } from "@matchpoint/cs2/feed/import/cs2Imports"
import { runDueChores } from "@matchpoint/cs2/live/ArchiveUpkeep"
import { handleKey, nameKey, slugOf } from "@matchpoint/cs2/rules/archive/names"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { runImport } from "@matchpoint/service-feed/import/run"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { csvOf } from "@matchpoint/testing/recordedData"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { describe, inject, it } from "vitest"

const dateOf = (day: string): Date => new Date(day)
const wallClock = (): number => Date.now()

const LATEST = "2026-07-06"
const IMPORTED = ["standings", "results", "team-pages", "analyzer", "demos"]

interface Listed {
  readonly date: string
  readonly rank: number
  readonly team: string
  readonly roster: ReadonlyArray<string>
}

/** Global standings as listed in the file. */
const listedIn = (directory: string): ReadonlyArray<Listed> =>
  csvOf(directory, "cs2", "vrs", "standings.csv.gz")
    .filter(({ region, series }) => series === "live" && region === "global")
    .map(({ date = "", rank, roster = "", team = "" }) => ({ date, rank: Number(rank), team, roster: roster.split(", ") }))

const suite = (directory: string, it: Vitest.MethodsNonLive<Services>) => {
  const listed = listedIn(directory)

  it.effect("ranks at least 150 teams of the world in the last week with matches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [last] = yield* sql<{ played: Date }>`SELECT max(starts_at) AS played FROM cs2_series WHERE status = 'completed'`
      const { date, total } = yield* (yield* Rankings).ranking({ source: "world", region: "global", limit: 1, offset: 0 })
      assert.isAtLeast(total, 150)
      // The ranking's date is the Monday that ends the week of the last match.
      assert.isBelow(Date.parse(date ?? "") - (last?.played.getTime() ?? 0), 7 * 86_400_000)
    }),
  )

  it.effect("finds each of the top 40 of the latest standings by the slug of its name, with its roster of that day", () =>
    Effect.gen(function* () {
      const teams = yield* TeamArchive
      const top = listed.filter(({ date, rank }) => date === LATEST && rank <= 40)
      assert.isAtLeast(top.length, 39)
      const differing = yield* Effect.forEach(top, ({ roster, team }) =>
        Effect.map(teams.profile(slugOf(team, "")), (found) => {
          if (Option.isNone(found)) return `${team}: no team with the slug ${slugOf(team, "")}`
          const { name, roster: shown } = found.value
          const players = shown.players.map(({ nickname }) => handleKey(nickname))
          const missing = roster.filter((handle) => !players.includes(handleKey(handle)))
          return nameKey(name) === nameKey(team) && missing.length === 0 ? [] : `${team}: ${name} lacks ${missing.join(", ")}`
        }),
      )
      assert.deepStrictEqual(differing.flat(), [])
    }),
  )

  it.effect("has one team per name, and each team once in a ranking", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const twice = yield* sql`SELECT name_key FROM cs2_teams GROUP BY name_key HAVING count(*) > 1`
      assert.deepStrictEqual(twice, [])
      const rankings = yield* Rankings
      for (const date of [...new Set(listed.map((row) => row.date))].slice(-6)) {
        const { rows } = yield* rankings.ranking({ source: "vrs", region: "global", limit: 1_000, offset: 0, at: dateOf(date) })
        const names = new Set(listed.filter((row) => row.date === date).map(({ team }) => nameKey(team)))
        assert.deepStrictEqual([date, rows.length, new Set(rows.map(({ teamId }) => teamId)).size], [date, names.size, names.size])
      }
    }),
  )

  it.effect("has no player active in a team that the player left with the latest transfer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { rows } = yield* (yield* Transfers).transfers({ computed: true, undated: true, oldestFirst: true, limit: 100_000, offset: 0 })
      const latest = new Map(rows.map((row) => [row.playerId as string, row]))
      assert.isAbove(latest.size, 1_000)
      const players = yield* sql<{ id: string; team: string | null; status: string }>`
        SELECT cs2_player_id(player_number) AS id, cs2_team_id(current_team_number) AS team, status FROM cs2_players`
      const wrong = players.filter(({ id, status, team }) => {
        const move = latest.get(id)
        return status === "active" && team !== null && move !== undefined && move.fromTeamId === team && move.toTeamId !== team
      })
      assert.deepStrictEqual(wrong, [])
      const statuses = Map.groupBy(players, ({ status }) => status)
      assert.isAbove(statuses.get("inactive")?.length ?? 0, 500)
    }),
  )

  it.effect("has at most seven players in an active roster, and detects nothing after the last match", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const crowded = yield* sql`
        SELECT current_team_number FROM cs2_players WHERE status = 'active' AND current_team_number IS NOT NULL
        GROUP BY current_team_number HAVING count(*) > 7`
      assert.deepStrictEqual(crowded, [])
      const early = yield* sql`
        SELECT change_id::text FROM cs2_roster_changes WHERE detected_at > (SELECT max(starts_at) FROM cs2_series WHERE status = 'completed')
        UNION ALL
        SELECT transfer_key FROM cs2_transfers WHERE detected_at > (SELECT max(starts_at) FROM cs2_series WHERE status = 'completed')`
      assert.deepStrictEqual(early, [])
    }),
  )

  it.effect("has only players with at least the default number of maps in leaderboards by rate", () =>
    Effect.gen(function* () {
      const stats = yield* PlayerStats
      const { rows } = yield* stats.leaderboard("rating", { window: { days: null, now: wallClock() }, minMaps: 5, limit: 10, offset: 0 })
      assert.isTrue(rows.every(({ maps }) => maps >= 5))
    }),
  )
}

/** A database with all data imported, after one run of the due maintenance tasks. */
const archive = (directory: string, url: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-full-"))),
        (created) => Effect.promise(() => rm(created, { recursive: true, force: true })),
      )
      const selected = cs2Imports.sources.flatMap(({ folder, source }) =>
        IMPORTED.includes(source.name) ? [{ source, path: join(directory, folder) }] : [],
      )
      yield* runImport(cs2Imports, selected, { isTerminal: false, rejects: join(folder, "rejects.ndjson") })
      yield* runDueChores
    }),
  ).pipe(
    Layer.provideMerge(Repositories.layer),
    Layer.provide(Migrations.layer),
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(temporaryDatabase(url), (own) =>
          Postgres.layer({ url: own, statementTimeout: "2 minutes", idleTransactionTimeout: "2 minutes" }),
        ),
      ),
    ),
    Layer.provideMerge(NodeServices.layer),
  )

type Services = Layer.Success<typeof Repositories.layer> | SqlClient.SqlClient

const [directory, databaseUrl] = [inject("dataDirectory"), inject("databaseUrl")]
if (directory === null || databaseUrl === null) {
  describe("the archive of all recorded data", () =>
    it.skip("needs the recorded data (MATCHPOINT_DATA) and a PostgreSQL server (DATABASE_URL)", () => undefined))
} else {
  layer(archive(directory, databaseUrl), { timeout: "15 minutes", excludeTestServices: true })("the archive of all recorded data", (it) =>
    suite(directory, it),
  )
}
