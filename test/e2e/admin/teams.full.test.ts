/** Tests the corrections of teams at the admin command line, on a real server. */
import { assert, it } from "@effect/vitest"
import { TeamCorrection } from "@matchpoint/cs2/contract/http/admin/TeamCorrectionsApi"
import { teamId } from "@matchpoint/cs2/rules/ids"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AdminServer, adminServer, TOKEN } from "../../../services/gateway/test/admin/adminServer.ts"
import { runAdmin } from "./adminCommand.ts"

const admin = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { url } = yield* AdminServer
  return yield* runAdmin([...args, "--url", new URL(url).origin, "--as", "Ada"], { MATCHPOINT_ADMIN_TOKEN: TOKEN })
})

const runJson = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(schema: S, ...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* admin(...args, "--json")
  assert.strictEqual(code, 0, stderr)
  return yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(schema))(stdout))
})

/** Inserts teams 1, 2 and 3. Teams 1 and 3 played each other in January, 2 and 3 in May. */
const insertTeams = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO cs2_teams (team_number, name, name_key, slug, source)
    VALUES (1, 'Apogee', 'apogee', 'apogee', 'test'), (2, 'Betclic', 'betclic', 'betclic', 'test'), (3, 'Bravo', 'bravo', 'bravo', 'test')`
  yield* sql`
    INSERT INTO cs2_series (match_number, status, starts_at, team1_number, team2_number, winner_team_number, source)
    VALUES (1001, 'completed', '2026-01-10', 1, 3, 1, 'test'), (1002, 'completed', '2026-05-10', 2, 3, 3, 'test')`
})

it.layer(adminServer(), { excludeTestServices: true, timeout: "120 seconds" })("npm run admin -- teams", (it) => {
  it.effect(
    "merges, splits and lists teams, and explains why an invalid correction is refused",
    () =>
      Effect.gen(function* () {
        yield* insertTeams
        const sql = yield* SqlClient.SqlClient
        const merged = yield* runJson(TeamCorrection, "teams", "merge", "apogee", "betclic", "--reason", "renamed in April")
        assert.deepInclude(merged, {
          kind: "merge",
          teamId: teamId(1),
          otherTeamId: teamId(2),
          actor: "Ada",
          reason: "renamed in April",
        })
        const split = yield* runJson(TeamCorrection, "teams", "split", "cs2-team-1", "--name", "Betclic Fe", "--from", "2026-05-01")
        assert.deepInclude(split, {
          kind: "split",
          teamId: teamId(2),
          otherTeamName: "Betclic Fe",
          from: "2026-05-01T00:00:00.000Z",
          until: null,
        })
        assert.deepStrictEqual(yield* runJson(Schema.Array(TeamCorrection), "teams", "list"), [split, merged])
        const matches = yield* sql`SELECT match_number::integer AS match, cs2_team_id(team1_number) AS team FROM cs2_series ORDER BY 1`
        assert.deepStrictEqual(matches, [
          { match: 1001, team: "cs2-team-2" },
          { match: 1002, team: split.otherTeamId },
        ])
        const { api } = yield* AdminServer
        const actions = (yield* api.audit({ query: {} })).data.map(({ action, actor }) => `${actor} ${action}`)
        assert.deepStrictEqual(actions, ["Ada team.split", "Ada team.merge"])
        assert.strictEqual((yield* sql`SELECT FROM cs2_changelog WHERE action IN ('merged', 'split')`).length, 2)

        const refused = [
          { args: ["teams", "merge", "bravo", "betclic"], expected: "have played each other" },
          { args: ["teams", "split", "bravo", "--name", "Other"], expected: "give --from, --until or both" },
        ]
        const results = yield* Effect.forEach(refused, ({ args }) => admin(...args), { concurrency: "unbounded" })
        for (const [index, { code, stderr }] of results.entries()) {
          assert.strictEqual(code, 1)
          assert.include(stderr, refused[index]?.expected ?? "no such case")
        }
      }),
    120_000,
  )
})
