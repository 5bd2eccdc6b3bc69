/** Tests the import of small files of the league that the test writes itself, on both databases. All names are invented. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { CodArchiveWriter } from "@matchpoint/cod/archive/CodArchiveWriter"
import { SimulatedSeasons } from "@matchpoint/cod/archive/SimulatedSeasons"
import { CodSummaries } from "@matchpoint/cod/archive/summaries/CodSummaries"
import { codImports } from "@matchpoint/cod/feed/import/codImports"
import type { Match } from "@matchpoint/cod/rules/archive/rows"
import { COD } from "@matchpoint/cod/rules/game"
import { Migrations } from "@matchpoint/games/Migrations"
import { Imports } from "@matchpoint/store/Imports"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { findFiles } from "../../src/import/findFiles.ts"
import { importSource } from "../../src/import/Importer.ts"
import type { ImportEvent } from "../../src/import/Progress.ts"

const line = "MATCH_7,2025-12-05,Winter Cup,BO5,False,2026"

/** A series of a major, with a line of Able One on each map. A dot is a map that the file does not have. */
const seriesOf = (matchId: string, winners: string) =>
  [...winners].flatMap((winner, index) =>
    winner === "."
      ? []
      : [
          `${matchId},2027-02-01,CDL Major 1,BO5,False,2027,East Wind,West Wind,able one,Hardpoint,Quarry,${index + 1},0,9,5,1000,30.0,0,0,0.9,${winner === "a" ? "True" : "False"}`,
        ],
  )

const files: Readonly<Record<string, ReadonlyArray<string>>> = {
  "codstats/Teams.csv": ["ID,Name", "0,North Wind", "1,Los Angeles Guerillas"],
  "codstats/Players.csv": ["ID,Name", "0,Able One", "1,Baker"],
  "codstats/Maps.csv": ["ID,Name", "0,Old-Quarry"],
  "codstats/Modes.csv": ["ID,Name", "0,Hardpoint", "1,Search and Destroy"],
  "codstats/Games.csv": ["ID,Map,Mode,Team1Score,Team2Score", "0,0,0,250,100", "1,0,1,6,2", "2,0,0,250,249"],
  "codstats/Matches.csv": ["ID,Date,IndexInDate,Team1,Team2", "0,2022-12-02,0,0,1", "1,2022-02-30,0,0,1"],
  "codstats/MatchesGames.csv": ["Match,GameIndex,Game", "0,0,0", "0,1,1", "0,2,2"],
  "codstats/PlayersGames.csv": [
    "Player,Game,Team,Kills,Deaths,Damage",
    "0,0,0,21.0,10.0,2500.0",
    "1,0,1,10.0,21.0,1500.0",
    "0,1,0,,,",
    "1,1,1,many,1,1",
    "9,1,1,1,1,1",
  ],
  "breakingpoint_stats.csv": [
    "match_id,date,event_name,series_type,is_lan,season,team_name,opponent_team_name,player_name,mode,map_name,map_number,kills,deaths,assists,damage,hill_time,plants,defuses,rating,won_map",
    `${line},Boston Breach,North Wind,able one,Hardpoint,Quarry,1,20,10,5,2000,61.0,0,0,1.1,True`,
    `${line},North Wind,Boston Breach,Baker,Hardpoint,Quarry,1,10,20,5,1000,30.0,0,0,0.9,False`,
    `${line},Boston Breach,North Wind,able one,Search & Destroy,Depot,2,7,4,1,900,,1,2,1.2,True`,
    `${line},Boston Breach,North Wind,able one,Zombies,Depot,3,7,4,1,900,,1,2,1.2,True`,
    ...seriesOf("MATCH_8", ".baba"),
    ...seriesOf("MATCH_9", "a.baa"),
    ...seriesOf("MATCH_10", "ababa"),
  ],
  "season2025/CDL_Major2_Stats.csv": [
    "Player,Overall_K,SnD_K,SnD_D,SnD_FK,SnD_M,Hardpoint_K,Hardpoint_D,Hardpoint_TM,Hardpoint_M,Control_K,Control_D,Control_CP,Control_M",
    "Baker,90,20,10,5,3,50,40,200,2,20,10,7,1",
  ],
  "season2025/All_Stats.csv": ["not an event"],
  "player_images.json": ['{ "Baker": "https://images.example/baker.webp", "Cook": "file:///etc/passwd" }'],
  "earnings.csv": ["season,tournament,player,amount,placement", "2025,Major 2 2025,Baker,1250.50,1", "2025,Major 2 2025,Cook,,2"],
}

const simulatedMatch: Match = {
  matchId: "900000001",
  tournamentId: "2030-major",
  round: null,
  status: "completed",
  startsAt: "2030-01-12T18:00:00.000Z",
  startTimeKnown: true,
  startOrder: 0,
  bestOf: 5,
  team1Slug: "east-wind",
  team2Slug: "west-wind",
  team1Score: 3,
  team2Score: 1,
  scoreGap: null,
  winnerSlug: "east-wind",
  isLan: true,
  broadcasted: null,
  source: "simulator",
  simulated: true,
}

const setUp = Effect.gen(function* () {
  const root = yield* temporaryDirectory
  const sql = yield* SqlClient.SqlClient
  for (const [path, lines] of Object.entries(files)) {
    yield* Effect.promise(() => mkdir(join(root, path, ".."), { recursive: true }))
    yield* Effect.promise(() => writeFile(join(root, path), lines.join("\r\n")))
  }
  const run = Effect.fnUntraced(function* (again: boolean) {
    const events: Array<ImportEvent> = []
    const listener = (event: ImportEvent) => Effect.sync(() => events.push(event))
    const tallies = []
    for (const { source } of codImports.sources) {
      const { tally } = yield* importSource(COD, source, yield* findFiles(source, root), listener, { again })
      tallies.push(tally)
    }
    for (const { make } of codImports.derivations) yield* make
    return { tallies, reasons: events.flatMap((event) => (event.type === "Rejected" ? [event.rejection.reason] : [])) }
  })
  return { run, sql }
})

onDatabaseOfRun((driver, database) => {
  const stores = Layer.mergeAll(Imports.layer, SimulatedSeasons.layer, CodArchiveWriter.layer, CodSummaries.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(database),
    Layer.merge(NodeServices.layer),
  )
  layer(stores, { timeout: "60 seconds" })(`import of the league, ${driver}`, (it) => {
    it.effect("stores rows of all sources once, rejects bad ones and replaces simulated seasons", () =>
      Effect.gen(function* () {
        const { run, sql } = yield* setUp
        const writer = yield* CodArchiveWriter
        const summaries = yield* CodSummaries
        const simulated = { season: 2030, name: "Major", stage: null, isLeague: true, pointsPerWin: 10, prizePool: null, simulated: true }
        yield* writer.write({
          tournaments: [{ tournamentId: "2030-major", ...simulated }],
          matches: [{ match: simulatedMatch, maps: [], lines: [] }],
        })
        yield* summaries.rebuild
        assert.strictEqual((yield* sql`SELECT FROM cod_standings`).length, 2)

        const first = yield* run(false)
        assert.deepStrictEqual(first.reasons, [
          "Kills is not a whole number: many",
          "Player 9 is in no table",
          "Date is not a day such as 2022-12-02: 2022-02-30",
          "the mode is unknown: Zombies",
          "the value is not a URL that starts with https:// and has at most 2000 characters",
          "amount is empty",
        ])
        const second = yield* run(true)
        for (const { created, updated } of second.tallies) assert.deepStrictEqual({ created, updated }, { created: 0, updated: 0 })

        const matches = yield* sql`
          SELECT match_id, team1_slug, team2_slug, team1_score, team2_score, winner_slug, score_gap, best_of, season, name
          FROM cod_matches JOIN cod_tournaments USING (tournament_id) ORDER BY match_id`
        assert.deepStrictEqual(
          matches.map((row) => Object.values(row).map(String).join(" ")),
          [
            "0 north-wind los-angeles-guerrillas 3 0 north-wind null 5 2023 Call of Duty League 2023, event not stated",
            "bp-match-10 east-wind west-wind 3 2 east-wind null 5 2027 CDL Major 1",
            "bp-match-7 boston-breach north-wind null null null maps_missing 5 2026 Winter Cup",
            "bp-match-8 east-wind west-wind null null null maps_missing 5 2027 CDL Major 1",
            "bp-match-9 east-wind west-wind null null east-wind maps_missing 5 2027 CDL Major 1",
          ],
        )
        const standings = yield* sql`
          SELECT team_slug, match_wins, match_losses, map_wins, map_losses FROM cod_standings
          WHERE season = 2027 AND stage = '' ORDER BY team_slug`
        assert.deepStrictEqual(
          standings.map((row) => Object.values(row).join(" ")),
          ["east-wind 2 0 3 2", "west-wind 0 2 2 3"],
        )
        const ranks = yield* sql`SELECT DISTINCT season, rank IS NULL AS unranked FROM cod_standings ORDER BY season, unranked`
        assert.deepStrictEqual(
          ranks.map((row) => Object.values(row).join(" ")),
          ["2023 false", "2025 true", "2026 true", "2027 false"],
        )
        const lines = yield* sql`
          SELECT match_id, map_number, player_id, kills, hill_time, plants FROM cod_player_lines
          WHERE match_id IN ('0', 'bp-match-7') ORDER BY match_id, map_number, player_id`
        assert.deepStrictEqual(
          lines.map((row) => Object.values(row).map(String).join(" ")),
          [
            "0 1 able-one 21 null null",
            "0 1 baker 10 null null",
            "0 2 able-one null null null",
            "bp-match-7 1 able-one 20 61 null",
            "bp-match-7 1 baker 10 30 null",
            "bp-match-7 2 able-one 7 null 1",
          ],
        )
        assert.deepStrictEqual(
          (yield* sql`SELECT season, count(*)::integer AS teams FROM cod_standings GROUP BY season ORDER BY season`).map((row) => ({
            ...row,
          })),
          [
            { season: 2023, teams: 12 },
            { season: 2025, teams: 24 },
            { season: 2026, teams: 12 },
            // The whole season and the stage, with the two teams that have a match.
            { season: 2027, teams: 4 },
          ],
        )
        const players = yield* sql`
          SELECT season, mode, maps_played, kills, damage, hill_time, first_bloods FROM cod_player_seasons
          WHERE player_id = 'baker' ORDER BY season, mode`
        assert.deepStrictEqual(
          players.map((row) => Object.values(row).map(String).join(" ")),
          [
            "2023 hardpoint 1 10 1500 null null",
            "2023 overall 1 10 1500 null null",
            "2025 control 1 20 null null null",
            "2025 hardpoint 2 50 null 200 null",
            "2025 overall 6 90 null 200 5",
            "2025 snd 3 20 null null 5",
            "2026 hardpoint 1 10 1000 30 null",
            "2026 overall 1 10 1000 30 null",
          ],
        )
        const able = yield* sql`
          SELECT season, maps_played, kills FROM cod_player_seasons WHERE player_id = 'able-one' AND mode = 'overall' ORDER BY season`
        assert.deepStrictEqual(
          able.map((row) => Object.values(row).map(String).join(" ")),
          // One map of 2023 has no values, all maps of 2027 have no kills.
          ["2023 2 21", "2026 2 27", "2027 13 0"],
        )
        assert.deepStrictEqual(
          (yield* sql`SELECT player_id, ign, image_url FROM cod_players ORDER BY player_id`).map((row) =>
            Object.values(row).map(String).join(" "),
          ),
          ["able-one Able One null", "baker Baker https://images.example/baker.webp"],
        )
      }),
    )
  })
})
