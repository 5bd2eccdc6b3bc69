/** Tests that writing teams and players in a batch gives the same result as one by one. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ArchiveWriter } from "../../../src/archive/ArchiveWriter.ts"
import type { PlayerReport, TeamReport } from "../../../src/archive/writer/reports.ts"
import { emptied, type WriterIt } from "../emptied.ts"
import { DAY, five, JANUARY, reported } from "./reportedMatches.ts"

const seen = (days: number) => ({ source: "lists", at: JANUARY + days * DAY })

/**
 * A team under another name that is recognized by its lineup, a team reported twice, two teams of one name with
 * different lineups, and an unknown team.
 */
const teams: ReadonlyArray<TeamReport> = [
  { team: { key: "Alpha", name: "Alpha" }, seen: seen(0), roster: five("a") },
  { team: { key: "Alpha Reborn", name: "Alpha Reborn" }, seen: seen(1), roster: five("a") },
  { team: { key: "Alpha", name: "Alpha" }, seen: seen(2), roster: five("a") },
  { team: { name: "Alpha" }, seen: seen(3), roster: five("x") },
  { team: { name: "Gamma", tag: "GAM" }, seen: seen(3) },
]

const players = (alpha: number): ReadonlyArray<PlayerReport> => [
  ...five("a").map((player) => ({ player: { ...player, realName: `Mr ${player.nickname}` }, seen: seen(4), teamNumber: alpha })),
  { player: { nickname: "newcomer" }, seen: seen(4), teamNumber: alpha },
  { player: { nickname: "newcomer" }, seen: seen(5), teamNumber: alpha },
]

/** Compares by name, because numbers differ between runs. */
const stored = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    SELECT t.name, t.tag, t.confidence, NULL AS team, (SELECT jsonb_agg(jsonb_build_array(n.name, n.first_seen_at, n.last_seen_at) ORDER BY n.name)
      FROM cs2_names n WHERE n.entity_type = 'team' AND n.entity_number = t.team_number) AS names
    FROM cs2_teams t
    UNION ALL
    SELECT p.nickname, p.real_name, p.confidence, (SELECT name FROM cs2_teams WHERE team_number = p.current_team_number), NULL FROM cs2_players p
    ORDER BY 1, 2, 3, 4`
})

export const sheetWrites = (it: WriterIt) => {
  it.effect("writing teams and players in a batch gives the same result as one by one", () =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      yield* emptied
      yield* writer.match(reported())
      const single = yield* Effect.forEach(teams, (one) => writer.team(one.team, one.seen, one.roster))
      for (const { player, seen, teamNumber } of players(single[0]?.entityNumber ?? 0)) yield* writer.player(player, seen, teamNumber)
      const before = yield* stored

      yield* emptied
      yield* writer.match(reported())
      const many = yield* writer.teams(teams)
      const alpha = many[0]?.entityNumber ?? 0
      const told1 = yield* writer.players(players(alpha))
      assert.deepStrictEqual(yield* stored, before)

      // Returns which results refer to the same entity, in order.
      const groups = (written: ReadonlyArray<{ readonly entityNumber: number }>) =>
        written.map(({ entityNumber }) => written.findIndex((other) => other.entityNumber === entityNumber))
      assert.deepStrictEqual(groups(many), groups(single))
      assert.strictEqual(told1.length, 7)
      assert.deepStrictEqual(
        told1.slice(5).map(({ outcome }) => outcome),
        ["created", "unchanged"],
      )
      assert.strictEqual(told1[5]?.entityNumber, told1[6]?.entityNumber)

      const again = [...(yield* writer.teams(teams)), ...(yield* writer.players(players(alpha)))]
      assert.isTrue(again.every(({ outcome }) => outcome === "unchanged"))
      assert.deepStrictEqual(yield* stored, before)
      assert.deepStrictEqual([yield* writer.teams([]), yield* writer.players([])], [[], []])
    }),
  )
}
