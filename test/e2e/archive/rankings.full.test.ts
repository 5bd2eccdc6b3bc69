/**
 * Tests rankings, transfers, roster changes and rosters over HTTP: defaults, sources of path aliases, history of plans,
 * and errors.
 */
import { assert, it } from "@effect/vitest"
import { RankedTeam, RankingMeta } from "@matchpoint/cs2/contract/http/data/rankingModels"
import { RosterChanges, RosterHistory, Transfers } from "@matchpoint/cs2/contract/http/data/transferModels"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { ArchiveStack, archiveStacks, dataAs } from "../../fixtures/archiveStack.ts"

const ranked = dataAs(Schema.Array(RankedTeam))
const rankingMeta = Schema.decodeUnknownSync(RankingMeta)
const transfers = dataAs(Transfers)
const changes = dataAs(RosterChanges)
const history = dataAs(RosterHistory)

const DAY = 86_400_000

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`rankings and transfers on ${database}`, (it) => {
    it.effect("uses the world ranking by default, the VRS standings for a region, and the VRS standings for team rankings", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const rankingAt = (path: string) =>
          Effect.map(get(path), (response) => {
            const { date, region, source } = rankingMeta(response.meta)
            assert.isNotNull(date)
            return [
              source,
              region,
              ranked(response)
                .map(({ teamId }) => teamId.slice("cs2-team-".length))
                .join(),
            ]
          })
        assert.deepStrictEqual(yield* rankingAt("/cs2/rankings"), ["world", "global", "1,2,3"])
        assert.deepStrictEqual(yield* rankingAt("/cs2/rankings?region=europe"), ["vrs", "europe", "1,3"])
        assert.deepStrictEqual(yield* rankingAt("/cs2/rankings?source=world&region=europe"), ["world", "europe", "1,3"])
        assert.deepStrictEqual(yield* rankingAt("/cs2/rankings?source=vrs"), ["vrs", "global", "1,2,3"])
        assert.deepStrictEqual(yield* rankingAt("/cs2/rankings/teams"), ["vrs", "global", "1,2,3"])
        assert.deepStrictEqual(yield* rankingAt("/cs2/rankings/teams?source=world&team=delta"), ["world", "global", ""])
        assert.deepStrictEqual(yield* rankingAt("/cs2/rankings?limit=10000&page=1"), ["world", "global", "1,2,3"])
        assert.strictEqual((yield* get("/cs2/rankings?limit=10000")).meta?.limit, 500)
      }),
    )

    it.effect("limits dates to the plan's history; the newest ranking is open to all plans", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const date = (days: number) => new Date(now - days * DAY).toISOString().slice(0, 10)
        assert.strictEqual((yield* get("/cs2/rankings", "free")).status, 200)
        assert.strictEqual((yield* get(`/cs2/rankings?date=${date(10)}`, "free")).status, 200)
        assert.strictEqual((yield* get(`/cs2/rankings?date=${date(60)}`, "free")).error?.code, "HISTORY_LIMIT")
        assert.strictEqual((yield* get(`/cs2/rankings?date=${date(60)}`, "starter")).status, 200)
        const before = yield* get(`/cs2/rankings?date=${date(600)}`)
        assert.deepStrictEqual([before.status, before.data, before.meta?.dataAvailable, before.meta?.date], [200, [], false, null])
      }),
    )

    it.effect(
      "returns the same transfers under both paths, accepts both names of filters, and limits transfers to the plan's history",
      () =>
        Effect.gen(function* () {
          const { get } = yield* ArchiveStack
          const keys = (path: string, plan: "free" | "starter" | "pro" = "pro") =>
            Effect.map(get(path, plan), (response) => {
              const data = transfers(response)
              assert.strictEqual(response.meta?.dataAvailable, true)
              return data.transfers.map(({ transferKey }) => transferKey).join("")
            })
          const recent = yield* get("/cs2/transfers/recent")
          const list = yield* get("/cs2/transfers")
          assert.deepStrictEqual([recent.data, recent.meta], [list.data, list.meta])
          assert.strictEqual(yield* keys("/cs2/transfers"), "abc")
          assert.strictEqual(yield* keys("/cs2/transfers", "starter"), "ab")
          assert.strictEqual(yield* keys("/cs2/transfers", "free"), "a")
          assert.strictEqual(yield* keys("/cs2/transfers/recent?sort=oldest"), "cba")
          assert.strictEqual(yield* keys("/cs2/transfers?include_undated=true&include_computed=false"), "d")
          assert.strictEqual(yield* keys("/cs2/transfers?team=delta&team_id=cs2-team-3"), "b")
          assert.strictEqual(yield* keys("/cs2/transfers?player=p205"), "a")
          assert.strictEqual(yield* keys("/cs2/transfers?to_team=no-team&status=left"), "b")
          assert.strictEqual((yield* get("/cs2/transfers?limit=1000")).meta?.limit, 200)
          assert.strictEqual(yield* keys("/cs2/players/p205/transfers"), "a")
          assert.strictEqual(yield* keys("/cs2/players/cs2-player-404/transfers"), "c")
        }),
    )

    it.effect("returns roster changes and the history of rosters", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        assert.deepStrictEqual(
          changes(yield* get("/cs2/roster-changes/recent?teamId=team-bravo")).changes.map(({ changeType, playerName }) => [
            changeType,
            playerName,
          ]),
          [["join", "p205"]],
        )
        assert.strictEqual(changes(yield* get("/cs2/roster-changes/recent", "free")).changes.length, 2)
        const delta = history(yield* get("/cs2/teams/delta/roster-history"))
        assert.deepStrictEqual([delta.teamId as string, delta.spells.map(({ status }) => status)], ["cs2-team-4", ["active", "left"]])
        assert.deepStrictEqual(history(yield* get("/cs2/teams/cs2-team-4/roster-history")), delta)
      }),
    )

    it.effect("answers 404 to unknown ids, 400 to invalid requests and 304 if nothing has changed", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const path of ["/cs2/players/nobody/transfers", "/cs2/players/cs2-player-999/transfers", "/cs2/teams/nobody/roster-history"]) {
          assert.strictEqual((yield* get(path)).error?.code, "NOT_FOUND", path)
        }
        for (const path of [
          "/cs2/rankings?source=other",
          "/cs2/rankings?region=moon",
          "/cs2/rankings?date=soon",
          "/cs2/transfers?after=1",
          "/cs2/transfers?status=gone",
          "/cs2/transfers?include_computed=maybe",
          "/cs2/roster-changes/recent?limit=0",
        ]) {
          assert.strictEqual((yield* get(path)).error?.code, "VALIDATION_ERROR", path)
        }
        const first = yield* get("/cs2/rankings")
        const again = yield* get("/cs2/rankings", "pro", { "if-none-match": first.headers.get("etag") ?? "" })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
      }),
    )
  })
}
