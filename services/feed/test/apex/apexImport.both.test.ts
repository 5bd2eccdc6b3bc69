/** Tests the import of a small Apex archive that the test writes itself, on both databases. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { ApexArchiveWriter } from "@matchpoint/apex/archive/ApexArchiveWriter"
import { SimulatedSeries } from "@matchpoint/apex/archive/SimulatedSeries"
import { ApexSummaries } from "@matchpoint/apex/archive/summaries/ApexSummaries"
import type { ApexScores } from "@matchpoint/apex/contract/http/data/seriesModels"
import { apexImports } from "@matchpoint/apex/feed/import/apexImports"
import { type ApexSeries, noStatistics } from "@matchpoint/apex/rules/archive/series"
import { SIMULATED } from "@matchpoint/apex/rules/archive/simulated"
import { APEX } from "@matchpoint/apex/rules/game"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { findFiles } from "../../src/import/findFiles.ts"
import { importSource } from "../../src/import/Importer.ts"
import type { ImportEvent } from "../../src/import/Progress.ts"

const header = "Team,Rank,Game,Placement,Kills,Points"
const names = ["North", "South", "East", "West", "Up", "Down", "Left", "Right"]

/** A series of two games with two teams. */
const seriesOf = (fields: Partial<ApexSeries>): ApexSeries => ({
  ...{ seriesId: "winter-1", tournamentId: "winter", tournamentName: "Winter", name: "Final", stage: null, region: "emea" },
  ...{ status: "completed", source: "import", matchPoint: null, day: "2026-03-01", dateIsTournamentStart: false },
  ...{ startsAt: null, endedAt: null, raw: { lobby: 1 } },
  teams: ["North", "South"].map((teamName) => ({ teamName, teamId: null, statedRank: null, statedPoints: null })),
  games: [1, 2].map((gameNumber) => ({
    ...{ gameNumber, map: null, status: "completed", startedAt: null, duration: null, bannedLegends: null, placementGap: null },
    teams: ["North", "South"].map((teamName, index) => ({
      ...{ teamName, placement: index + 1, kills: 0, points: index === 0 ? 12 : 9, statistics: noStatistics, players: [] },
    })),
  })),
  ...fields,
})

/** Lines of a lobby with one game, in which the teams are placed in order and have as many kills as their place. */
const lobby = (teams: ReadonlyArray<string>) =>
  teams.map((team, index) => `${team},${index + 1},1,${index + 1},${index + 1},${[13, 11, 10, 9, 9, 9, 10, 10, 11][index]}`)

const files: Readonly<Record<string, string>> = {
  "tournaments/summer-open.json": JSON.stringify({
    id: "summer-open",
    name: "Summer Open",
    days: [{ id: "day1", name: "Day 1", matchups: [{ id: "A", title: "Group A", games: 2, maps: "STORM POINT (1) → Mixed (1)" }] }],
  }),
  "maps.json": JSON.stringify({ aliases: { "STORM POINT": "Storm Point" } }),
  "summer-open/raw/A.csv": [
    header,
    "North,1,1,1,4,16",
    "South,2,1,2,1,10",
    "South,2,1,2,1,10",
    "North,1,2,3,0,7",
    "South,2,2,3,2,8",
    "East,3,1,x,0,0",
  ].join("\n"),
  "summer-open/A_points.csv": "Team,Game 1,Game 2,Overall Points\nNorth,16,7,23\nSouth,10,8,19\n",
  "summer-open/A_bans.csv": "Game,Legend\n1,Wraith\n",
  "summer-open/A_players.csv": [
    "Game,Team,PlayerId,Player,Legend,Kills,Damage",
    "1,North,n1,Ann,Bangalore,3,900",
    "1,North,n2,Ben,Horizon,1,400",
    "1,North,n3,Cat,Gibraltar,0,",
  ].join("\n"),
  "summer-open/raw/B.csv": [header, ...lobby([...names, "Extra"])].join("\n"),
  "winter-open/raw/Copy.csv": [header, ...lobby(names)].join("\n"),
  "winter_series.json": JSON.stringify([seriesOf({}), { seriesId: "bad id" }]),
  "players.csv": "player_id,name,team,role,regions\nn1,Ann,North,IGL,emea\nn9,Zed,,,\n",
  "transactions.csv": [
    "transaction_id,type,day,player_id,player,team,before,after,region",
    "t1,transfer,2026-02-01,n1,Ann,North,South,North,emea",
    "t2,unknown,2026-02-01,,,,,,",
  ].join("\n"),
}

const setUp = Effect.gen(function* () {
  const root = yield* temporaryDirectory
  for (const [path, text] of Object.entries(files)) {
    yield* Effect.promise(() => mkdir(join(root, path, ".."), { recursive: true }))
    yield* Effect.promise(() => writeFile(join(root, path), text))
  }
  const run = Effect.fnUntraced(function* () {
    const events: Array<ImportEvent> = []
    const tallies: Record<string, unknown> = {}
    for (const { source } of apexImports.sources) {
      const listener = (event: ImportEvent) => Effect.sync(() => events.push(event))
      tallies[source.name] = (yield* importSource(APEX, source, yield* findFiles(source, root), listener)).tally
    }
    for (const { make } of apexImports.derivations) yield* make
    return { tallies, rejected: events.flatMap((event) => (event.type === "Rejected" ? [`${event.file}: ${event.rejection.reason}`] : [])) }
  })
  return { run, root }
})

const scoresOf = Effect.fnUntraced(function* (seriesId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ scores: ApexScores }>`SELECT scores FROM apex_series WHERE series_id = ${seriesId}`
  return row === undefined ? assert.fail(`no series ${seriesId}`) : row.scores
})

const none = { created: 0, updated: 0, unchanged: 0 }

onDatabaseOfRun((driver, database) => {
  const stores = Layer.mergeAll(Imports.layer, ApexArchiveWriter.layer, ApexSummaries.layer, SimulatedSeries.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(database),
    Layer.merge(NodeServices.layer),
  )
  layer(stores, { timeout: "60 seconds" })(`apex import, ${driver}`, (it) => {
    it.effect("stores everything once, rejects bad lines and removes the simulated season", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const imports = (yield* Imports).of(APEX)
        yield* imports.begin({ source: SIMULATED, file: "season", fingerprint: "" })
        yield* (yield* ApexArchiveWriter).writeSeries([seriesOf({ source: "simulator", seriesId: "simulated", tournamentId: "simulated" })])
        const { run } = yield* setUp
        const { rejected, tallies } = yield* run()
        assert.deepStrictEqual(tallies, {
          tournaments: { ...none, created: 1 },
          lobbies: { ...none, created: 3 },
          series: { ...none, created: 1 },
          players: { ...none, created: 2 },
          transactions: { ...none, created: 1 },
        })
        assert.deepStrictEqual(
          rejected.slice(0, 2),
          ["the file has another line for South in game 1", "Placement is not a whole number: x"].map(
            (reason) => `summer-open/raw/A.csv: ${reason}`,
          ),
        )
        assert.lengthOf(rejected, 4)
        assert.match(rejected[2] ?? "", /^winter_series\.json: .*seriesId/su)
        assert.match(rejected[3] ?? "", /^transactions\.csv: .*type/su)
        assert.deepStrictEqual(yield* sql`SELECT 1 FROM apex_series WHERE source = 'simulator'`, [])
        const again = yield* run()
        for (const tally of Object.values(again.tallies)) assert.deepStrictEqual(tally, none)
      }),
    )

    it.effect("reads the files beside a lobby, and leaves contradictory placements out", () =>
      Effect.gen(function* () {
        const scores = yield* scoresOf("summer-open-a")
        assert.deepStrictEqual(
          scores.standings.map(({ kills, points, rank, teamName }) => [teamName, rank, points, kills]),
          [
            ["North", 1, 23, null],
            ["South", 2, 19, null],
          ],
        )
        assert.deepStrictEqual(scores.standings[0]?.games, [
          { gameNumber: 1, placement: 1, kills: 4, points: 16, totalPoints: 16, rankAfter: 1 },
          { gameNumber: 2, placement: null, kills: null, points: 7, totalPoints: 23, rankAfter: 1 },
        ])
        assert.deepStrictEqual(
          scores.exceptions.map(({ code, computed, gameNumber, stated, teamName }) => [code, teamName, gameNumber, stated, computed]),
          [
            ["contradictory_placements", null, 2, null, null],
            ["points_differ", "South", null, 19, 18],
          ],
        )
        assert.deepStrictEqual(
          scores.playerStats.map(({ damage, kills, playerName }) => [playerName, kills, damage]),
          [
            ["Ann", 3, 900],
            ["Ben", 1, 400],
            ["Cat", 0, null],
          ],
        )
        assert.deepInclude(scores.compositions[0], { legends: ["Bangalore", "Gibraltar", "Horizon"], picks: 1, pickRate: 1, wins: 1 })
        assert.strictEqual(scores.reasons["standings.kills"], "contradictory_source")
      }),
    )

    it.effect("marks copies, and sums up tournaments and players", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT series_id, copy_of FROM apex_series WHERE copy_of IS NOT NULL`, [
          { series_id: "winter-open-copy", copy_of: "summer-open-b" },
        ])
        const events = yield* sql<{ id: string; series: string; games: string }>`
          SELECT tournament_id AS id, contents->>'series' AS series, contents->>'games' AS games FROM apex_tournaments ORDER BY id`
        assert.deepStrictEqual(events, [
          { id: "summer-open", series: "2", games: "3" },
          { id: "winter", series: "1", games: "2" },
          { id: "winter-open", series: "0", games: "0" },
        ])
        const [ann] = yield* sql<{ details: unknown }>`SELECT details FROM apex_players WHERE player_id = 'n1'`
        assert.deepInclude(ann?.details, {
          name: "Ann",
          role: "IGL",
          regions: ["emea"],
          stats: { kills: 3, assists: null, matchesPlayed: 1 },
        })
        assert.include((yield* (yield* ApexSummaries).report).join("\n"), "winter-open-copy is a copy of summer-open-b")
      }),
    )
  })
})
