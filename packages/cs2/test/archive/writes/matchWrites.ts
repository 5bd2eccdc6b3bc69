import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ArchiveWriter } from "../../../src/archive/ArchiveWriter.ts"
import { emptied, type WriterIt } from "../emptied.ts"
import { DAY, five, game, JANUARY, linesOf, mirrored, reported } from "./reportedMatches.ts"

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

/** Returns every row of every archive table. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(tables, (table) => sql`SELECT to_jsonb(t)::text AS row FROM ${sql(table)} t ORDER BY 1`)
})

const rows = (table: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT to_jsonb(t) AS row FROM ${sql(table)} t`)

export const matchWrites = (it: WriterIt) => {
  it.effect("stores a match as a whole; writing it again changes nothing", () =>
    Effect.gen(function* () {
      yield* emptied
      const writer = yield* ArchiveWriter
      const match = reported({
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
        cs2_search: 13,
        cs2_changelog: 14,
      })
    }),
  )

  it.effect("merges two sources' reports of one match, even with swapped teams and only the day known", () =>
    Effect.gen(function* () {
      yield* emptied
      const writer = yield* ArchiveWriter
      const standings = mirrored(
        reported({
          source: "standings",
          key: "s1",
          startsAt: JANUARY - (JANUARY % DAY) - DAY,
          startsPrecision: "day",
          confidence: "medium",
        }),
      )
      const first = yield* writer.match({ ...standings, score: undefined, winner: 1, event: undefined, bestOf: undefined })
      const second = yield* writer.match(reported({ games: [game(1, "de_mirage", { lines: linesOf(five("a"), five("b")) })] }))
      assert.deepStrictEqual([first.outcome, second.outcome, second.entityNumber], ["created", "updated", first.entityNumber])
      const [series] = yield* rows("cs2_series")
      assert.deepInclude(series?.row, { team1_score: 1, team2_score: 2, source: "results", confidence: "high", starts_precision: "minute" })
      const [map] = yield* rows("cs2_games")
      assert.deepInclude(map?.row, { team1_score: 7, team2_score: 13, detail: "players" })
    }),
  )

  it.effect("replaces less detailed data by more detailed data, map by map, and never the reverse", () =>
    Effect.gen(function* () {
      yield* emptied
      const writer = yield* ArchiveWriter
      const lines = linesOf(five("a"), five("b"))
      yield* writer.match(reported({ source: "pages", key: "p", games: [game(1, "de_mirage"), game(2, "de_train", { score: [13, 9] })] }))
      const deep = game(1, "de_mirage", {
        lines: lines.map((of) => ({ ...of, kills: 20, headshots: 9, weapons: [{ weapon: "ak47", kills: 12, headshots: 6 }] })),
        rounds: [{ round: 1, ct: 1, winnerSide: "T", winType: "Target_Bombed", score: [1, 0] }],
      })
      const demo = reported({ source: "demos", key: "d", confidence: "medium", games: [deep] })
      assert.strictEqual((yield* writer.match(demo)).outcome, "updated")
      assert.strictEqual((yield* writer.match(reported({ games: [game(1, "de_mirage", { lines })] }))).outcome, "unchanged")
      const details = (yield* rows("cs2_games")).map(({ row }) => row)
      assert.deepStrictEqual(
        details
          .map((row) => Reflect.get(Object(row), "detail"))
          .sort()
          .reverse(),
        ["score", "rounds"],
      )
      const kills = (yield* rows("cs2_player_games")).map(({ row }) => Reflect.get(Object(row), "kills"))
      assert.deepStrictEqual(
        kills,
        Array.from({ length: 10 }, () => 20),
      )
      assert.strictEqual((yield* rows("cs2_weapon_games")).length, 10)

      // The source corrects its own data.
      const corrected = { ...deep, lines: deep.lines.map((of) => ({ ...of, kills: 21 })) }
      assert.strictEqual((yield* writer.match({ ...demo, games: [corrected] })).outcome, "updated")
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT DISTINCT kills FROM cs2_player_games`, [{ kills: 21 }])
    }),
  )

  it.effect("creates one new team for an ambiguous name and records the candidates in the changelog", () =>
    Effect.gen(function* () {
      yield* emptied
      const writer = yield* ArchiveWriter
      yield* writer.match(reported())
      yield* writer.match(reported({ key: "m2", startsAt: JANUARY + 5 * DAY, lineups: [five("z"), five("b")] }))
      const bare = reported({ source: "pages", lineups: [[], []], startsAt: JANUARY + 9 * DAY })
      yield* writer.matches([
        { ...bare, key: "p1" },
        { ...bare, key: "p2", startsAt: JANUARY + 12 * DAY },
      ])
      yield* writer.matches([{ ...bare, key: "p3", startsAt: JANUARY + 15 * DAY }])
      const sql = yield* SqlClient.SqlClient
      const slugs = (yield* sql`SELECT slug FROM cs2_teams WHERE name = 'Alpha' ORDER BY team_number`).map((row) =>
        Reflect.get(row, "slug"),
      )
      assert.strictEqual(slugs.length, 3)
      assert.strictEqual(slugs[0], "alpha")
      assert.match(String(slugs[2]), /^alpha-\d+$/)
      const rejected =
        yield* sql`SELECT jsonb_array_length(old_value) AS candidates FROM cs2_changelog WHERE action = 'merge_rejected' ORDER BY change_number`
      assert.deepStrictEqual(rejected, [{ candidates: 1 }, { candidates: 2 }])
    }),
  )

  it.effect("keeps our numbers, including small ones beside account numbers", () =>
    Effect.gen(function* () {
      yield* emptied
      const writer = yield* ArchiveWriter
      const steam = five("a").map((player, index) => ({ ...player, playerNumber: index === 0 ? 4_000_000_000 : index + 1 }))
      const match = reported({
        source: "live",
        key: "77",
        matchNumber: 77,
        teams: [{ name: "Alpha", teamNumber: 5 }, { name: "Bravo" }],
        lineups: [steam, five("b")],
      })
      const upcoming = { ...match, status: "upcoming", score: undefined, lineups: [[], []] } as const
      assert.deepStrictEqual(yield* writer.match(upcoming), { entityNumber: 77, outcome: "created" })
      assert.deepStrictEqual(yield* writer.match(match), { entityNumber: 77, outcome: "updated" })
      assert.deepStrictEqual(yield* writer.match(match), { entityNumber: 77, outcome: "unchanged" })
      assert.strictEqual((yield* writer.match(reported())).entityNumber, 77)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT team_number::integer AS n FROM cs2_teams WHERE name = 'Alpha'`, [{ n: 5 }])
      assert.strictEqual((yield* sql`SELECT FROM cs2_players WHERE player_number IN (4000000000, 2, 3, 4, 5)`).length, 5)
    }),
  )

  it.effect("source pages of teams, players and events fill unknown fields", () =>
    Effect.gen(function* () {
      yield* emptied
      const writer = yield* ArchiveWriter
      yield* writer.match(reported())
      const seen = { source: "pages", at: JANUARY + DAY }
      const sheet = { key: "9", name: "Alpha", aliases: ["Alpha Wolves"], tag: "ALP", countryCode: "se", region: "europe" } as const
      const team = yield* writer.team(sheet, seen, five("a"))
      assert.strictEqual(team.outcome, "updated")
      assert.deepStrictEqual(yield* writer.team(sheet, seen, five("a")), { ...team, outcome: "unchanged" })
      assert.strictEqual((yield* writer.team({ name: "alpha wolves" }, seen)).entityNumber, team.entityNumber)
      const coach = yield* writer.player({ nickname: "Coach", role: "coach", realName: "C. Oach" }, seen, team.entityNumber)
      assert.strictEqual(coach.outcome, "created")
      const event = yield* writer.event(
        { name: "Winter Cup 2026", tier: "S", startsAt: JANUARY - DAY, endsAt: JANUARY + DAY, prizePool: 100 },
        seen,
      )
      assert.strictEqual(event.outcome, "updated")
      // An event without dates is still found by name, until its time shows that another edition is meant.
      const dateless = yield* writer.event({ name: "Spring Cup" }, seen)
      assert.strictEqual(dateless.outcome, "created")
      assert.deepStrictEqual(yield* writer.event({ name: "Spring Cup" }, seen), { ...dateless, outcome: "unchanged" })
      const next = yield* writer.event({ name: "Spring Cup" }, { ...seen, at: seen.at + 300 * DAY })
      assert.deepStrictEqual([next.outcome, next.entityNumber === dateless.entityNumber], ["created", false])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT name, tag, country_name FROM cs2_teams WHERE tag IS NOT NULL`, [
        { name: "Alpha", tag: "ALP", country_name: "Sweden" },
      ])
      assert.deepStrictEqual(yield* sql`SELECT status, current_team_number::integer AS team FROM cs2_players WHERE nickname = 'Coach'`, [
        { status: "coach", team: team.entityNumber },
      ])
      assert.deepStrictEqual(yield* sql`SELECT tier, confirmed_status FROM cs2_events WHERE starts_at IS NOT NULL`, [
        { tier: "S", confirmed_status: "source_detail" },
      ])
    }),
  )
}
