/**
 * Tests statistics and leaderboards over HTTP: rows and metadata of every path, time windows, limits, history of plans,
 * and errors.
 */
import { assert, it } from "@effect/vitest"
import {
  ClutchesMeta,
  ClutchesRow,
  EconomyRow,
  FlashAssistsRow,
  HeadToHeadStats,
  LeaderboardMeta,
  LeaderboardMetric,
  LeaderboardRow,
  MapStatsRow,
  OpeningDuelsRow,
  PistolRoundsMeta,
  PistolRoundsRow,
  PlayerStatsRow,
  StatsMeta,
  TeamForm,
  TeamStatsRow,
  UtilityRow,
  WeaponStatsRow,
} from "@matchpoint/cs2/contract/http/data/statsModels"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { sample } from "../../../packages/cs2/test/archive/fixtures/sampleArchive.ts"
import { type ArchiveResponse, ArchiveStack, archiveStacks, dataAs } from "../../fixtures/archiveStack.ts"

const metaAs = <S extends Schema.Codec<unknown, unknown>>(model: S) => {
  const decode = Schema.decodeUnknownSync(model)
  return ({ meta }: ArchiveResponse): S["Type"] => decode(meta)
}
const meta = metaAs(StatsMeta)

/** Expected first row of each list over the whole archive, and the number of rows. */
const lists = [
  { path: "players", rows: dataAs(Schema.Array(PlayerStatsRow)), first: "cs2-player-101", total: 10 },
  { path: "teams?min_maps=0", rows: dataAs(Schema.Array(TeamStatsRow)), first: "cs2-team-3", total: 3 },
  { path: "maps", rows: dataAs(Schema.Array(MapStatsRow)), first: "de_inferno", total: 3 },
  { path: "weapons", rows: dataAs(Schema.Array(WeaponStatsRow)), first: "ak47", total: 2 },
  { path: "pistol-rounds", rows: dataAs(Schema.Array(PistolRoundsRow)), first: "cs2-team-1", total: 2 },
  { path: "opening-duels", rows: dataAs(Schema.Array(OpeningDuelsRow)), first: "cs2-player-101", total: 10 },
  { path: "clutches", rows: dataAs(Schema.Array(ClutchesRow)), first: "cs2-player-101", total: 10 },
  { path: "flash-assists", rows: dataAs(Schema.Array(FlashAssistsRow)), first: "cs2-player-105", total: 10 },
  { path: "utility", rows: dataAs(Schema.Array(UtilityRow)), first: "cs2-player-101", total: 10 },
  { path: "economy", rows: dataAs(Schema.Array(EconomyRow)), first: "cs2-player-101", total: 10 },
] as const

const nameOf = (row: unknown): unknown => {
  if (typeof row !== "object" || row === null) return row
  for (const key of ["playerId", "teamId", "mapName", "weapon"] as const) if (key in row) return Reflect.get(row, key)
  return undefined
}

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`statistics on ${database}`, (it) => {
    it.effect("returns each list with its leader, row count, category and time of computation", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const { first, path, rows: read, total } of lists) {
          const response = yield* get(`/cs2/stats/${path}`)
          assert.strictEqual(response.status, 200, response.text)
          const rows: ReadonlyArray<unknown> = read(response)
          const listMeta = meta(response)
          assert.deepStrictEqual([nameOf(rows[0]), rows.length, listMeta.total], [first, total, total], path)
          assert.strictEqual(listMeta.category, path.split("?")[0])
          assert.deepInclude(listMeta, { dataAvailable: true, unavailableReason: null, dataQuality: "partial" })
          assert.isNotNull(listMeta.availability.refreshedAt)
        }
      }),
    )

    it.effect("ranks a leaderboard by its metric and rejects unknown metrics", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const leaders: ReadonlyArray<readonly [LeaderboardMetric, string]> = [
          ["rating", "101"],
          ["adr", "105"],
          ["kast", "101"],
          ["kd", "101"],
          ["kills", "101"],
          ["opening-kills", "101"],
        ]
        assert.deepStrictEqual(
          leaders.map(([metric]) => metric),
          [...LeaderboardMetric.literals],
        )
        for (const [metric, leader] of leaders) {
          const response = yield* get(`/cs2/leaderboards/${metric}?min_maps=1&window_days=90`)
          const [row] = dataAs(Schema.Array(LeaderboardRow))(response)
          assert.strictEqual(row?.playerId, `cs2-player-${leader}`)
          assert.strictEqual(row?.player.slug, `p${leader}`)
          const listMeta = metaAs(LeaderboardMeta)(response)
          assert.deepInclude(listMeta, { category: "leaderboards", metric, aggregated: true, windowDays: 90, minMaps: 1 })
        }
        assert.strictEqual((yield* get("/cs2/leaderboards/beauty")).status, 400)
        assert.strictEqual((yield* get("/cs2/leaderboards/rating?min_maps=many")).status, 400)
        assert.strictEqual((yield* get("/cs2/stats/players?days=0")).status, 400)
      }),
    )

    it.effect("accepts both spellings of a window, its default, the whole archive, and days that are not precomputed", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const windowOf = (path: string) => Effect.map(get(path), (response) => meta(response).windowDays)
        assert.strictEqual(yield* windowOf("/cs2/stats/players?days=90"), 90)
        assert.strictEqual(yield* windowOf("/cs2/stats/players?window_days=90&days=30"), 90)
        assert.isNull(yield* windowOf("/cs2/stats/players"))
        assert.strictEqual(yield* windowOf("/cs2/stats/teams"), 365)
        assert.strictEqual(yield* windowOf("/cs2/stats/maps"), 365)
        assert.isNull(yield* windowOf("/cs2/stats/maps?days=366"))
        const prepared = yield* get("/cs2/stats/players?days=90")
        const other = yield* get("/cs2/stats/players?days=61")
        assert.deepStrictEqual(other.data, prepared.data)
        assert.isNull(meta(other).availability.refreshedAt)
        assert.strictEqual(meta(yield* get("/cs2/stats/teams")).minMaps, 10)
      }),
    )

    it.effect("clamps a limit at 200 and pages without gaps", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        assert.strictEqual(meta(yield* get("/cs2/stats/players?limit=9999")).limit, 200)
        const page = yield* get("/cs2/stats/players?limit=4&page=3")
        assert.deepInclude(meta(page), { count: 2, limit: 4, total: 10, page: 3, totalPages: 3, hasNext: false, hasPrev: true })
        const beyond = yield* get("/cs2/stats/players?limit=4&offset=40")
        assert.deepStrictEqual([beyond.data, meta(beyond).dataAvailable], [[], true])
      }),
    )

    it.effect("spells the availability fields of pistol rounds and clutches in both cases", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const pistols = metaAs(PistolRoundsMeta)(yield* get("/cs2/stats/pistol-rounds?min_maps=1"))
        assert.deepInclude(pistols, { data_available: true, unavailable_reason: null, minPistolRounds: 2 })
        const clutches = yield* get("/cs2/stats/clutches?min_attempts=4")
        assert.deepStrictEqual(clutches.data, [])
        assert.deepInclude(metaAs(ClutchesMeta)(clutches), { minAttempts: 4, data_available: true })
        // The only match with rounds was 40 days ago.
        const none = metaAs(PistolRoundsMeta)(yield* get("/cs2/stats/pistol-rounds?days=30"))
        assert.deepInclude(none, { data_available: false, dataAvailable: false, unavailable_reason: "not_yet_indexed" })
        assert.strictEqual(none.dataQuality, "unavailable")
      }),
    )

    it.effect("shortens a default window to the plan's history and answers 403 to a longer one", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const free = yield* get("/cs2/leaderboards/kills", "free")
        assert.deepStrictEqual([meta(free).windowDays, meta(free).total], [30, 0])
        const starter = yield* get("/cs2/stats/teams?min_maps=0", "starter")
        assert.strictEqual(starter.status, 200)
        assert.strictEqual(meta(starter).windowDays, 90)
        assert.strictEqual((yield* get("/cs2/stats/players?days=30", "free")).status, 200)
        const refused = yield* get("/cs2/stats/players?days=31", "free")
        assert.deepStrictEqual([refused.status, refused.error?.code], [403, "HISTORY_LIMIT"])
        assert.strictEqual((yield* get("/cs2/stats/head-to-head?team1=delta&team2=alpha-wolves&days=91", "starter")).status, 403)
      }),
    )

    it.effect("compares two teams in either order", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const decoded = dataAs(HeadToHeadStats)(yield* get("/cs2/stats/head-to-head?team1=team-bravo&team2=cs2-team-1"))
        assert.deepInclude(decoded, { matches: 1, team1Wins: 0, team2Wins: 1, maps: 3, team1MapWins: 1, team2MapWins: 2 })
        assert.deepInclude(decoded, { team1Rounds: 31, team2Rounds: 36 })
        assert.strictEqual(decoded.team1.name, "Team Bravo")
        assert.deepStrictEqual(decoded.byMap[0], { mapName: "de_inferno", played: 1, team1Wins: 1, team2Wins: 0 })
        assert.deepStrictEqual(
          decoded.recent.map(({ eventName, matchId, team1Score, team2Score }) => [matchId as string, team1Score, team2Score, eventName]),
          [[`cs2-match-${sample.matches.deep}`, 1, 2, "Winter Cup 2026"]],
        )
        const forfeited = dataAs(HeadToHeadStats)(yield* get("/cs2/stats/head-to-head?team1=alpha-wolves&team2=delta"))
        assert.deepStrictEqual([forfeited.matches, forfeited.recent.length, forfeited.recent[0]?.isForfeit], [0, 1, true])
        const none = dataAs(HeadToHeadStats)(yield* get("/cs2/stats/head-to-head?team1=team-bravo&team2=cs2-team-1&days=30"))
        assert.deepStrictEqual([none.matches, none.maps, none.byMap.length, none.recent.length], [0, 0, 0, 0])
        assert.strictEqual((yield* get("/cs2/stats/head-to-head?team1=alpha-wolves&team2=nobody")).status, 404)
        assert.strictEqual((yield* get("/cs2/stats/head-to-head?team1=alpha-wolves&team2=cs2-team-1")).status, 404)
        assert.strictEqual((yield* get("/cs2/stats/head-to-head?team1=alpha-wolves")).status, 400)
      }),
    )

    it.effect("returns a team's form, newest first", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const alpha = dataAs(TeamForm)(yield* get("/cs2/stats/form?team=alpha-wolves"))
        assert.deepInclude(alpha, { matches: 2, wins: 1, losses: 1, winPercent: 50, sequence: "LW" })
        assert.deepStrictEqual(alpha.streak, { outcome: "loss", length: 1 })
        assert.deepInclude(alpha.results[0], { opponentName: "Čarodějové", score: null, outcome: "loss" })
        const bravo = dataAs(TeamForm)(yield* get("/cs2/stats/form?team=cs2-team-2&limit=1"))
        assert.deepInclude(bravo, { matches: 1, sequence: "L" })
        const carod = dataAs(TeamForm)(yield* get("/cs2/stats/form?team=carodejove"))
        assert.deepStrictEqual([carod.sequence, carod.streak.length], ["WL", 1])
        const idle = dataAs(TeamForm)(yield* get("/cs2/stats/form?team=delta"))
        assert.deepStrictEqual([idle.matches, idle.sequence, idle.streak, idle.winPercent], [0, "", { outcome: null, length: 0 }, null])
        // 40 days ago is beyond the history of the free plan.
        assert.strictEqual(dataAs(TeamForm)(yield* get("/cs2/stats/form?team=cs2-team-2", "free")).matches, 0)
        assert.strictEqual((yield* get("/cs2/stats/form?team=nobody")).status, 404)
      }),
    )

    it.effect("answers 304 without a body if nothing has changed", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const first = yield* get("/cs2/stats/economy")
        const again = yield* get("/cs2/stats/economy", "pro", { "if-none-match": first.headers.get("etag") ?? "" })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
      }),
    )
  })
}
