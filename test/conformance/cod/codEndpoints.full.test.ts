/**
 * Requests every endpoint of the league's archive over the simulated seasons. Checks that responses have the fields of the
 * specification's samples, that every parameter has an effect, that wrong values are refused, and that lists can be walked
 * while matches are added.
 */
import { assert, it } from "@effect/vitest"
import { combineRows } from "@matchpoint/cod/rules/archive/combineRows"
import { simulateLeague } from "@matchpoint/cod/simulator/season/league"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect } from "effect"
import { codMatch } from "../../../packages/cod/test/archive/fixtures/codMatches.ts"
import { CodStack } from "../../fixtures/cod/codStack.ts"
import { addressOf, effective, endpoints, findExample } from "./codExamples.ts"
import { codSamples, deviations } from "./codSamples.ts"

/** Removes the names of path parameters, which the product may choose. */
const unnamed = (path: string) => path.replaceAll(/\{[^}]+\}/g, "{}")
const samples = new Map(Object.entries(codSamples).map(([path, sample]) => [unnamed(path), sample]))

/** Requests with a wrong value, and the code of their error. The status follows from the code. */
const wrong: ReadonlyArray<readonly [path: string, code: string]> = [
  ["/standings?season=1999", "NOT_COVERED"],
  ["/cdl/standings?season=1999", "NOT_COVERED"],
  ["/standings?stage=stage-99", "UNKNOWN_VALUE"],
  ["/standings?season=soon", "VALIDATION_ERROR"],
  ["/cdl/standings?season=soon", "VALIDATION_ERROR"],
  ["/schedule?upcoming=maybe", "VALIDATION_ERROR"],
  ["/cdl/schedule?upcoming=maybe", "VALIDATION_ERROR"],
  ["/matches?limit=0", "VALIDATION_ERROR"],
  ["/matches?startDate=2026-02-30", "VALIDATION_ERROR"],
  ["/matches/recent?days=none", "VALIDATION_ERROR"],
  ["/matches/upcoming?offset=-1", "VALIDATION_ERROR"],
  ["/matches/1", "NOT_FOUND"],
  ["/matches/none", "VALIDATION_ERROR"],
  ["/matches/1/maps", "NOT_FOUND"],
  ["/matches/none/maps", "VALIDATION_ERROR"],
  ["/matches/1/maps/1/player-stats", "NOT_FOUND"],
  ["/matches/1/maps/one/player-stats", "VALIDATION_ERROR"],
  ["/matches/1/player-stats", "NOT_FOUND"],
  ["/matches/1/player-stats?includeMaps=maybe", "VALIDATION_ERROR"],
  ["/leaderboards/earnings?season=1999", "NOT_COVERED"],
  ["/leaderboards/earnings?limit=many", "VALIDATION_ERROR"],
  ["/leaderboards/none", "UNKNOWN_VALUE"],
  ["/leaderboards/snd?stat=hillTime", "UNKNOWN_VALUE"],
  ["/leaderboards/snd?season=1999", "NOT_COVERED"],
  ["/leaderboards/snd?limit=many", "VALIDATION_ERROR"],
  ["/search", "VALIDATION_ERROR"],
  ["/search?q=a&type=map", "VALIDATION_ERROR"],
  ["/analytics/players/nobody/trends", "NOT_FOUND"],
  ["/analytics/players/nobody/trends?period=week", "VALIDATION_ERROR"],
  ["/analytics/players/nobody/trends?stat=aces", "UNKNOWN_VALUE"],
  ["/analytics/players/nobody/clutch-factor", "NOT_FOUND"],
  ["/analytics/players/nobody/clutch-factor?season=soon", "VALIDATION_ERROR"],
  ["/analytics/head-to-head", "VALIDATION_ERROR"],
  ["/analytics/head-to-head?player1=nobody&player2=anybody", "NOT_FOUND"],
  ["/analytics/compare", "VALIDATION_ERROR"],
  ["/analytics/compare?players=a,b,c,d,e,f", "VALIDATION_ERROR"],
  ["/analytics/compare?players=nobody", "NOT_FOUND"],
  ["/analytics/teams/nobody/style", "NOT_FOUND"],
  ["/analytics/teams/nobody/style?season=soon", "VALIDATION_ERROR"],
  ["/analytics/teams/head-to-head", "VALIDATION_ERROR"],
  ["/analytics/teams/head-to-head?team1=nobody&team2=anybody", "NOT_FOUND"],
  ["/analytics/teams/map-comparison", "VALIDATION_ERROR"],
  ["/analytics/teams/map-comparison?teams=nobody", "NOT_FOUND"],
  ["/analytics/leaderboard/aces", "UNKNOWN_VALUE"],
  ["/analytics/leaderboard/kd?limit=many", "VALIDATION_ERROR"],
  ["/analytics/leaderboard/kd?season=1999", "NOT_COVERED"],
]
const statuses: Readonly<Record<string, number>> = { VALIDATION_ERROR: 400, NOT_COVERED: 404, NOT_FOUND: 404, UNKNOWN_VALUE: 422 }

/** Lists with `offset` and `page`, and the size of a page of a walk. */
const lists = endpoints
  .filter(({ parameters }) => parameters.some(({ name }) => name === "offset"))
  .map((endpoint) => ({ ...endpoint, limit: endpoint.path.includes("leaderboard") ? 20 : 60 }))

interface Page {
  readonly rows: ReadonlyArray<string>
  readonly nextOffset: number | null
}

/** ISO 8601 in UTC. */
const timeAt = (at: number): string => new Date(at).toISOString()

const simulated = (now: number) => combineRows([...simulateLeague({ seed: 1, now })])

it.layer(CodStack.layer(embeddedMemory, simulated), { timeout: "120 seconds", excludeTestServices: true })(
  "endpoints of the league",
  (it) => {
    it.effect.each(endpoints)("$path has the fields of the sample", (endpoint) =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const sample = samples.get(unnamed(endpoint.path))
        if (sample === undefined) return assert.fail("the specification has no such path")
        const { body, status } = yield* get(addressOf(endpoint, yield* findExample))
        assert.strictEqual(status, 200, JSON.stringify(body))
        assert.deepStrictEqual(deviations(sample, body), [])
      }),
    )

    it.effect.each(endpoints)("each parameter of $path has an effect", (endpoint) =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const example = yield* findExample
        const ask = (query: Readonly<Record<string, string>>) =>
          Effect.map(get(addressOf(endpoint, example, query)), ({ body, status }) => {
            assert.strictEqual(status, 200, `${JSON.stringify(query)}: ${JSON.stringify(body)}`)
            return JSON.stringify(body)
          })
        const usual = yield* ask({})
        for (const { name } of endpoint.parameters) {
          const values = effective(example)[name]
          assert.isDefined(values, `no value for ${name}`)
          const texts = yield* Effect.forEach(values ?? [], (value) => ask({ [name]: value }))
          assert.isTrue(
            texts.some((text) => text !== usual),
            `${name} has no effect`,
          )
        }
      }),
    )

    it.effect.each(wrong)("%s is refused with %s", ([path, code]) =>
      Effect.gen(function* () {
        const { get } = yield* CodStack
        const { body, status } = yield* get(path)
        assert.deepStrictEqual([status, body.success, body.error?.code], [statuses[code], false, code], JSON.stringify(body))
        assert.isAbove(String(body.error.message).length, 20)
      }),
    )

    it.effect("accepts the ids of both sources in paths", () =>
      Effect.gen(function* () {
        const { add, get } = yield* CodStack
        const { tournamentId } = yield* findExample
        yield* add({ matches: [codMatch({ matchId: "bp-match-7", tournamentId, source: "breakingpoint" })] })
        const { body } = yield* get("/matches/bp-match-7")
        assert.deepStrictEqual([body.data.id, body.data.bpMatchId], ["bp-match-7", "bp-match-7"])
      }),
    )

    it.effect.each(lists)("$path loses no row while matches are added", (list) =>
      Effect.gen(function* () {
        const { add, get, now } = yield* CodStack
        const example = yield* findExample
        const page = (query: Readonly<Record<string, string>>) =>
          Effect.map(
            get(addressOf(list, example, { limit: String(list.limit), ...query })),
            ({ body }): Page => ({
              rows: (body.data as ReadonlyArray<unknown>).map((row) => JSON.stringify(row)),
              nextOffset: body.pagination.nextOffset,
            }),
          )
        const walk = Effect.fnUntraced(function* (arrive: Effect.Effect<void>) {
          const walked: Array<string> = []
          let next: number | null = 0
          while (next !== null) {
            const read: Page = yield* page({ offset: String(next) })
            walked.push(...read.rows)
            if (next === 0) yield* arrive
            next = read.nextOffset
          }
          return walked
        })
        const atStart = yield* walk(Effect.void)
        assert.isAbove(atStart.length, list.limit, "the list is too short for a walk")
        assert.strictEqual(new Set(atStart).size, atStart.length, "no row appears twice")
        assert.deepStrictEqual((yield* page({ page: "2" })).rows, atStart.slice(list.limit, 2 * list.limit))
        const id = String(990_000_000 + lists.indexOf(list) * 10)
        // One match has just ended, and one comes last.
        const [ended, coming] = [
          codMatch({ matchId: id, tournamentId: example.tournamentId, startsAt: timeAt(now - 60_000) }),
          codMatch({
            matchId: `${id}1`,
            tournamentId: example.tournamentId,
            startsAt: timeAt(now + 9e9),
            status: "scheduled",
            winnerSlug: null,
          }),
        ]
        const walked = yield* walk(add({ matches: [ended, { ...coming, maps: [], lines: [] }] }))
        assert.includeMembers(walked, atStart)
      }),
    )
  },
)
