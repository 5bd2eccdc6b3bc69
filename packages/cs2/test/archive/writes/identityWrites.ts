/**
 * Tests organisations that outlive their lineups, slugs that move to another entity, corrections by operators, and
 * simulated data beside imported data.
 */
import { assert, type Vitest } from "@effect/vitest"
import type { Repositories } from "@matchpoint/games/Repositories"
import { Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ArchiveWriter } from "../../../src/archive/ArchiveWriter.ts"
import { Rankings } from "../../../src/archive/rankings/Rankings.ts"
import { RankingWriter } from "../../../src/archive/rankings/RankingWriter.ts"
import { RosterDerivation } from "../../../src/archive/rosters/RosterDerivation.ts"
import { TeamAndMapStats } from "../../../src/archive/stats/TeamAndMapStats.ts"
import { FormerSlugs } from "../../../src/archive/teams/FormerSlugs.ts"
import { SlugKeeper } from "../../../src/archive/teams/SlugKeeper.ts"
import { TeamArchive } from "../../../src/archive/teams/TeamArchive.ts"
import { TeamCorrections } from "../../../src/archive/teams/TeamCorrections.ts"
import type { ArchivedMatch } from "../../../src/rules/archive/ArchivedMatch.ts"
import { emptied } from "../emptied.ts"
import { DAY, five, game, JANUARY, reported } from "./reportedMatches.ts"

const dateOf = (day: number): Date => new Date(JANUARY + day * DAY)

const on = (day: number, key: string, change: Partial<ArchivedMatch> = {}): ArchivedMatch =>
  reported({ key, source: "standings", startsAt: JANUARY + day * DAY, event: undefined, ...change })

const author = { actor: "anna", reason: "renamed" }

const nameAt = (reference: string) =>
  Effect.flatMap(TeamArchive, (teams) =>
    Effect.map(teams.profile(reference), (found) => Option.getOrUndefined(Option.map(found, ({ id, name, slug }) => ({ id, name, slug })))),
  )

const numberOf = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ n: number }>`SELECT team_number::integer AS n FROM cs2_teams WHERE name = ${name}`, (rows) =>
      rows.length === 1 ? (rows[0]?.n ?? 0) : assert.fail(`${rows.length} teams are called ${name}`),
    ),
  )

export type IdentityIt = Vitest.MethodsNonLive<Layer.Success<typeof Repositories.layer> | SqlClient.SqlClient>

export const identityWrites = (it: IdentityIt) => {
  it.effect("gives the slug to the current holder of a name; its former slug leads to the current one", () =>
    Effect.gen(function* () {
      yield* emptied
      const [writer, slugs] = [yield* ArchiveWriter, yield* SlugKeeper]
      // Two organisations with the same name, which the source distinguishes by key.
      const teams = (key: string) => [{ key, name: "Alpha" }, { name: "Bravo" }] as const
      yield* writer.match(on(0, "m1", { teams: teams("first") }))
      yield* writer.match(on(100, "m2", { teams: teams("second"), lineups: [five("z"), five("b")] }))
      const sql = yield* SqlClient.SqlClient
      const [old, current] = yield* sql<{ n: number; slug: string }>`
        SELECT team_number::integer AS n, slug FROM cs2_teams WHERE name = 'Alpha' ORDER BY team_number`
      assert.deepStrictEqual([old?.slug, current?.slug], ["alpha", `alpha-${current?.n}`])

      assert.strictEqual(yield* slugs.assign, 2)
      const holder = { id: `cs2-team-${current?.n}`, name: "Alpha", slug: "alpha" }
      assert.deepStrictEqual(yield* nameAt("alpha"), holder)
      const former = yield* FormerSlugs
      assert.isUndefined(yield* nameAt(`alpha-${current?.n}`))
      assert.deepStrictEqual(yield* former.currentOf("team", `Alpha-${current?.n}`), Option.some("alpha"))
      assert.deepStrictEqual(yield* former.currentOf("player", `alpha-${current?.n}`), Option.none())
      // The first one's former slug is the other one's.
      assert.deepStrictEqual(yield* former.currentOf("team", "alpha"), Option.none())
      assert.strictEqual((yield* nameAt(`alpha-${old?.n}`))?.id, `cs2-team-${old?.n}`)
      assert.strictEqual(yield* slugs.assign, 0)

      // The slug stays with its holder although the other organisation has also played recently.
      yield* writer.match(on(120, "m3", { teams: teams("first") }))
      assert.strictEqual(yield* slugs.assign, 0)
      const changes = yield* sql`SELECT old_value, new_value FROM cs2_changelog WHERE field_path = 'slug' AND entity_id = ${holder.id}`
      assert.deepStrictEqual(changes, [{ old_value: `alpha-${current?.n}`, new_value: "alpha" }])
    }),
  )

  it.effect("a merge moves all data of a team, makes its id and slug find the other team, and applies to later reports", () =>
    Effect.gen(function* () {
      yield* emptied
      const [writer, corrections] = [yield* ArchiveWriter, yield* TeamCorrections]
      const apogee = { key: "organisation:apogee", name: "Apogee" }
      const betclic = { key: "organisation:betclic", name: "Betclic" }
      yield* writer.match(on(0, "m1", { teams: [apogee, { name: "Bravo" }], games: [game(1, "de_nuke", { pickedBy: 0 })] }))
      yield* writer.match(on(30, "m2", { teams: [{ name: "Bravo" }, betclic], lineups: [five("b"), five("a")] }))
      const [from, to] = [yield* numberOf("Apogee"), yield* numberOf("Betclic")]

      const done = yield* corrections.merge({ team: "apogee", into: `cs2-team-${to}` }, author)
      assert.deepInclude(done, { kind: "merge", team: from, other: to, actor: "anna", reason: "renamed" })
      assert.deepStrictEqual((yield* corrections.list({ limit: 10, offset: 0 })).rows, [done])
      assert.deepStrictEqual(yield* (yield* FormerSlugs).currentOf("team", "apogee"), Option.some("betclic"))
      for (const reference of ["betclic", `cs2-team-${from}`, `cs2-team-${to}`]) {
        assert.deepStrictEqual(yield* nameAt(reference), { id: `cs2-team-${to}`, name: "Betclic", slug: "betclic" }, reference)
      }
      const sql = yield* SqlClient.SqlClient
      const matches = (team: number) => sql`SELECT FROM cs2_series WHERE ${team} IN (team1_number, team2_number, winner_team_number)`
      assert.deepStrictEqual([(yield* matches(from)).length, (yield* matches(to)).length], [0, 2])
      assert.deepStrictEqual(yield* sql`SELECT pick_team_number::integer AS n FROM cs2_games`, [{ n: to }])
      // There are no transfers, because both teams are the same.
      assert.deepStrictEqual(yield* sql`SELECT transfer_key FROM cs2_transfers WHERE to_team_number = ${to}`, [])

      // A repeated report and a new report under the old name both find the same team.
      yield* writer.match(on(0, "m1", { teams: [apogee, { name: "Bravo" }], games: [game(1, "de_nuke", { pickedBy: 0 })] }))
      yield* writer.match(on(35, "m3", { teams: [apogee, { name: "Charlie" }], lineups: [five("x"), five("c")] }))
      yield* writer.match(on(36, "m4", { teams: [{ name: "Apogee", teamNumber: from }, { name: "Delta" }], lineups: [[], []] }))
      assert.deepStrictEqual([(yield* matches(from)).length, (yield* matches(to)).length], [0, 4])

      const logged = yield* sql`SELECT action, entity_id, new_value->>'id' AS "into" FROM cs2_changelog WHERE action = 'merged'`
      assert.deepStrictEqual(logged, [{ action: "merged", entity_id: `cs2-team-${from}`, into: `cs2-team-${to}` }])
      const again = yield* Effect.flip(corrections.merge({ team: "apogee", into: "betclic" }, author))
      assert.include(again.message, "already the same team")
      const rivals = yield* Effect.flip(corrections.merge({ team: "bravo", into: "betclic" }, author))
      assert.include(rivals.message, "have played each other")
      const unknown = yield* Effect.flip(corrections.merge({ team: "nobody", into: "betclic" }, author))
      assert.include(unknown.message, "The team nobody does not exist")
    }),
  )

  it.effect("a split assigns a period to a new team, for stored data and later reports", () =>
    Effect.gen(function* () {
      yield* emptied
      const [writer, corrections, rankings] = [yield* ArchiveWriter, yield* TeamCorrections, yield* RankingWriter]
      const leo = { key: "organisation:leo", name: "Leo" }
      const match = (day: number, key: string, prefix: string, opponent: string) =>
        on(day, key, { teams: [leo, { name: opponent }], lineups: [five(prefix), five(opponent)] })
      yield* writer.matches([match(0, "m1", "a", "Bravo"), match(50, "m2", "z", "Charlie")])
      const whole = yield* numberOf("Leo")
      const ranked = { region: "global", rankedOn: "2026-03-02", rank: 9, teamNumber: whole, points: 500, roster: ["z one"] } as const
      yield* rankings.standings("standings", [ranked])

      const period = { from: dateOf(40), until: null }
      const done = yield* corrections.split({ team: "leo", name: "Leo CIS", ...period }, author)
      assert.deepInclude(done, { kind: "split", team: whole, otherName: "Leo CIS" })
      assert.deepStrictEqual(yield* nameAt("leo-cis"), { id: `cs2-team-${done.other}`, name: "Leo CIS", slug: "leo-cis" })
      const sql = yield* SqlClient.SqlClient
      const teamsOf = sql<{ key: string; team: number }>`
        SELECT k.source_key AS key, s.team1_number::integer AS team FROM cs2_series s
        JOIN cs2_source_keys k ON k.entity_type = 'match' AND k.entity_number = s.match_number ORDER BY s.starts_at`
      assert.deepStrictEqual(yield* teamsOf, [
        { key: "m1", team: whole },
        { key: "m2", team: done.other },
      ])
      assert.deepStrictEqual(yield* sql`SELECT team_number::integer AS n FROM cs2_rankings WHERE ranking = 'vrs'`, [{ n: done.other }])
      // Each player belongs to the team they played for.
      const seats =
        yield* sql`SELECT nickname, current_team_number::integer AS team FROM cs2_players WHERE nickname IN ('a one', 'z one') ORDER BY 1`
      assert.deepStrictEqual(seats, [
        { nickname: "a one", team: whole },
        { nickname: "z one", team: done.other },
      ])

      yield* writer.matches([match(50, "m2", "z", "Charlie"), match(55, "m3", "z", "Delta"), match(10, "m4", "a", "Delta")])
      assert.deepStrictEqual(
        (yield* teamsOf).map(({ key, team }) => [key, team]),
        [
          ["m1", whole],
          ["m4", whole],
          ["m2", done.other],
          ["m3", done.other],
        ],
      )
      assert.strictEqual((yield* sql`SELECT FROM cs2_changelog WHERE action = 'split'`).length, 1)
      const empty = yield* Effect.flip(corrections.split({ team: "leo", name: "Nothing", from: dateOf(900), until: null }, author))
      assert.include(empty.message, "has no match in this period")
      assert.isUndefined(yield* nameAt("nothing"))
    }),
  )

  it.effect("a team that the standings list with several lineups appears once, at its best place", () =>
    Effect.gen(function* () {
      yield* emptied
      const [writer, rankings] = [yield* ArchiveWriter, yield* RankingWriter]
      yield* writer.match(reported())
      const [alpha, bravo] = [yield* numberOf("Alpha"), yield* numberOf("Bravo")]
      const row = { region: "global", rankedOn: "2026-02-02", points: 1, roster: [] } as const
      yield* rankings.standings("standings", [
        { ...row, rank: 1, teamNumber: alpha },
        { ...row, rank: 2, teamNumber: bravo },
        { ...row, rank: 3, teamNumber: alpha },
      ])
      const { rows, total } = yield* (yield* Rankings).ranking({ source: "vrs", region: "global", limit: 10, offset: 0 })
      assert.deepStrictEqual([total, ...rows.map(({ rank, teamName }) => `${rank} ${teamName}`)], [2, "1 Alpha", "2 Bravo"])
    }),
  )

  it.effect("does not count imported data together with a simulated season", () =>
    Effect.gen(function* () {
      yield* emptied
      const [writer, rankings, scene] = [yield* ArchiveWriter, yield* RankingWriter, yield* TeamAndMapStats]
      const played = Array.from({ length: 12 }, (_, day) =>
        on(day, `s${day}`, { source: "simulator", games: [game(1, "de_mirage")], teams: [{ name: "Sim A" }, { name: "Sim B" }] }),
      )
      yield* writer.matches(played)
      const maps = Effect.map(
        scene.maps({ window: { days: null, now: JANUARY + 900 * DAY }, minMaps: 0, limit: 10, offset: 0 }),
        ({ rows }) => rows.map(({ mapName, mapsPlayed }) => `${mapName} ${mapsPlayed}`),
      )
      const refreshed = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM cs2_stats_maps`)
      yield* refreshed
      yield* rankings.standings("simulator", [
        { region: "global", rankedOn: "2026-11-02", rank: 1, teamNumber: yield* numberOf("Sim A"), points: 1, roster: [] },
      ])
      const ranked = Effect.flatMap(Rankings, (read) => read.ranking({ source: "vrs", region: "global", limit: 10, offset: 0 }))
      assert.isAbove((yield* rankings.rebuildWorld).rankings, 0)
      assert.strictEqual((yield* ranked).date, "2026-11-02")

      yield* writer.match(on(0, "real", { lineups: [five("r"), five("q")], games: [game(1, "de_nuke")] }))
      assert.strictEqual((yield* rankings.rebuildWorld).rankings, 0)
      yield* rankings.standings("standings", [
        { region: "global", rankedOn: "2026-02-02", rank: 1, teamNumber: yield* numberOf("Alpha"), points: 1, roster: [] },
      ])
      assert.strictEqual((yield* ranked).date, "2026-02-02")
      // A window that is not precomputed is computed from the archive on request.
      const window = { days: 364, now: JANUARY + 30 * DAY }
      const { rows } = yield* scene.maps({ window, minMaps: 0, limit: 10, offset: 0 })
      assert.deepStrictEqual(
        rows.map(({ mapName, mapsPlayed }) => `${mapName} ${mapsPlayed}`),
        ["de_nuke 1"],
      )
      assert.deepStrictEqual(yield* maps, [])
    }),
  )

  it.effect("derives status and team from played matches, not from scheduled ones; source pages count only without matches", () =>
    Effect.gen(function* () {
      yield* emptied
      const [writer, derivation] = [yield* ArchiveWriter, yield* RosterDerivation]
      const sql = yield* SqlClient.SqlClient
      const stateOf = (nickname: string) =>
        Effect.map(
          sql<{ state: string }>`
            SELECT concat_ws(' ', p.status, t.name) AS state FROM cs2_players p LEFT JOIN cs2_teams t ON t.team_number = p.current_team_number
            WHERE p.nickname = ${nickname}`,
          ([row]) => row?.state,
        )
      // Twelve matches, one every two weeks. "a five" plays only the first; then a new player takes the place.
      const without = [...five("a").slice(0, 4), { nickname: "a six" }]
      yield* writer.matches(
        Array.from({ length: 12 }, (_, n) =>
          on(14 * n, `m${n}`, {
            lineups: [n < 2 ? five("a") : without, five(`b${n}`)],
            teams: [{ name: "Alpha" }, { name: `Bravo ${n}` }],
          }),
        ),
      )
      const future = on(400, "next", {
        status: "upcoming",
        score: undefined,
        lineups: [five("a"), five("c")],
        teams: [{ name: "Charlie" }, { name: "Delta" }],
      })
      yield* writer.match(future)
      const pages = { source: "pages", at: JANUARY + 300 * DAY }
      yield* writer.player({ nickname: "a one" }, pages, yield* numberOf("Charlie"))
      yield* writer.player({ nickname: "newcomer" }, pages, yield* numberOf("Charlie"))
      yield* writer.player({ nickname: "a four", role: "coach" }, pages, yield* numberOf("Delta"))
      yield* derivation.rebuild()
      assert.deepStrictEqual(yield* Effect.all(["a one", "a two", "a five", "a six", "newcomer", "a four"].map(stateOf)), [
        "active Alpha",
        "active Alpha",
        "inactive",
        "active Alpha",
        "active Charlie",
        "coach Delta",
      ])
      const [late] = yield* sql<{ late: string }>`
        SELECT (SELECT count(*) FROM cs2_roster_changes WHERE detected_at > ${dateOf(399)})
          + (SELECT count(*) FROM cs2_transfers WHERE detected_at > ${dateOf(399)}) AS late`
      assert.strictEqual(Number(late?.late), 0)
      assert.strictEqual((yield* derivation.rebuild()).changed, 0)

      // Half a year after their last match, players are inactive and stay with their team.
      yield* writer.match(on(400, "later", { lineups: [five("y"), five("x")], teams: [{ name: "Xray" }, { name: "Yankee" }] }))
      yield* derivation.rebuild()
      assert.strictEqual(yield* stateOf("a two"), "inactive Alpha")
    }),
  )
}
