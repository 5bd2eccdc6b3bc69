import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ArchiveWriter } from "../../src/cs2/ArchiveWriter.ts"
import { emptied, type WriterIt } from "./emptied.ts"
import { DAY, five, game, JANUARY, linesOf, mirrored, told } from "./toldMatches.ts"

const tables = [
  "cs2_teams",
  "cs2_players",
  "cs2_events",
  "cs2_event_teams",
  "cs2_series",
  "cs2_lineups",
  "cs2_team_players",
  "cs2_games",
  "cs2_player_games",
  "cs2_weapon_games",
  "cs2_rounds",
  "cs2_game_events",
  "cs2_names",
  "cs2_source_keys",
  "cs2_search",
  "cs2_changelog",
]

/** Every row of every table of the archive. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(tables, (table) => sql`SELECT to_jsonb(t)::text AS row FROM ${sql(table)} t ORDER BY 1`)
})

const rows = (table: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT to_jsonb(t) AS row FROM ${sql(table)} t`)

export const matchWrites = (it: WriterIt) => {
  it.effect("a match is stored whole, and told again it changes nothing", () =>
    Effect.gen(function* () {
      yield* emptied
      const writer = yield* ArchiveWriter
      const match = told({
        veto: [{ order: 1, action: "ban", team: 1, map: "de_nuke" }],
        games: [
          game(1, "de_mirage", {
            lines: linesOf(five("a"), five("b")),
            rounds: [{ round: 1, ct: 0, winnerSide: "CT", winType: "CTs_Win", score: [1, 0] }],
            events: [{ type: "Kill", round: 1, player: { nickname: "a one" }, victim: { nickname: "b two" }, weapon: "ak47" }],
          }),
          game(2, "de_train", { score: [9, 13] }),
        ],
      })
      const first = yield* writer.match(match)
      assert.strictEqual(first.outcome, "created")
      const stored = yield* everything
      assert.deepStrictEqual(yield* writer.match(match), { ...first, outcome: "unchanged" })
      assert.deepStrictEqual(yield* everything, stored)
      const counts = stored.map((of, index) => [tables[index], of.length])
      assert.deepStrictEqual(Object.fromEntries(counts), {
        cs2_teams: 2,
        cs2_players: 10,
        cs2_events: 1,
        cs2_event_teams: 2,
        cs2_series: 1,
        cs2_lineups: 10,
        cs2_team_players: 10,
        cs2_games: 2,
        cs2_player_games: 10,
        cs2_weapon_games: 0,
        cs2_rounds: 1,
        cs2_game_events: 1,
        cs2_names: 13,
        cs2_source_keys: 1,
        cs2_search: 14,
        cs2_changelog: 14,
      })
    }),
  )

  it.effect("two sources tell one match, the other way round, on the day only", () =>
    Effect.gen(function* () {
      yield* emptied
      const writer = yield* ArchiveWriter
      const standings = mirrored(
        told({ source: "standings", key: "s1", startsAt: JANUARY - (JANUARY % DAY) - DAY, startsPrecision: "day", confidence: "medium" }),
      )
      const first = yield* writer.match({ ...standings, score: undefined, winner: 1, event: undefined, bestOf: undefined })
      const second = yield* writer.match(told({ games: [game(1, "de_mirage", { lines: linesOf(five("a"), five("b")) })] }))
      assert.deepStrictEqual([first.outcome, second.outcome, second.entityNumber], ["created", "updated", first.entityNumber])
      const [series] = yield* rows("cs2_series")
      assert.deepInclude(series?.row, { team1_score: 1, team2_score: 2, source: "results", confidence: "high", starts_precision: "minute" })
      const [map] = yield* rows("cs2_games")
      assert.deepInclude(map?.row, { team1_score: 7, team2_score: 13, detail: "players" })
    }),
  )
}
