/**
 * Tests the simulated season of a fresh server in a real database: it is written once, completely, and never among real
 * matches. No endpoint is empty afterwards.
 */
import { assert, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { ArchiveWriter } from "@matchpoint/cs2/archive/ArchiveWriter"
import { EventArchive } from "@matchpoint/cs2/archive/events/EventArchive"
import { MatchArchive } from "@matchpoint/cs2/archive/matches/MatchArchive"
import { Rankings } from "@matchpoint/cs2/archive/rankings/Rankings"
import { SkinMarket } from "@matchpoint/cs2/archive/skins/SkinMarket"
import { StatsRefresh } from "@matchpoint/cs2/archive/stats/StatsRefresh"
import { seasonSample } from "@matchpoint/cs2/sample/seasonSample"
import { fillArchive } from "@matchpoint/game/sample/SampleArchives"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer } from "effect"
import { specPaths } from "../conformance/archive/archivePaths.ts"
import { KEY, Stack, stack } from "../fixtures/stack.ts"
import { ask } from "../fixtures/twoGateways.ts"

const Fresh = Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provide(embeddedMemory))

const page = { limit: 1, offset: 0 }

const completed = Effect.flatMap(MatchArchive, (matches) => matches.list({ ...page, status: "completed" }))

/** Returns true if there is nothing to show: an empty list, or a response whose lists are all empty. */
const isEmpty = (data: unknown): boolean => {
  if (Array.isArray(data)) return data.length === 0
  if (typeof data !== "object" || data === null) return true
  const lists = Object.values(data).filter(Array.isArray)
  return lists.length > 0 && lists.every(({ length }) => length === 0)
}

/**
 * Requests every path of the specification without an id over a gateway, and returns the paths with nothing to show.
 */
const emptyPaths = Effect.gen(function* () {
  yield* (yield* StatsRefresh).refresh
  const { url } = yield* Stack
  const get = (path: string) => Effect.map(ask(url + path, { "x-api-key": KEY }), ({ status, text }) => ({ status, ...JSON.parse(text) }))
  const [{ name }] = (yield* get("/cs2/teams?limit=1")).data
  const open = specPaths.filter(({ of, path }) => of === undefined || path === "/cs2/leaderboards/{metric}")
  assert.isAtLeast(open.length, 50)
  const empty: Array<string> = []
  for (const { of = [], path, query } of open) {
    const requestPath =
      path.replace("{metric}", of[0] ?? "") + (query === undefined ? "" : `?${query.replace(/^q=.*/, `q=${encodeURIComponent(name)}`)}`)
    const { data, status } = yield* get(requestPath)
    assert.strictEqual(status, 200, requestPath)
    if (isEmpty(data)) empty.push(requestPath)
  }
  return { empty, get }
})

it.live(
  "fills a fresh archive once, with brackets, rankings, skins and grenades, and leaves no endpoint empty",
  () =>
    Effect.gen(function* () {
      yield* fillArchive(seasonSample)
      const { total } = yield* completed
      assert.isAbove(total, 90)
      yield* fillArchive(seasonSample)
      assert.strictEqual((yield* completed).total, total)
      assert.isAbove((yield* (yield* MatchArchive).list({ ...page, status: "upcoming" })).total, 0)
      assert.isAbove((yield* (yield* SkinMarket).list(page)).total, 100)
      const world = yield* (yield* Rankings).ranking({ ...page, source: "world", region: "global", at: undefined, team: undefined })
      assert.isAbove(world.total, 5)
      const events = yield* (yield* EventArchive).list({ ...page, status: "completed", order: "newestEnd" })
      assert.isTrue(events.rows[0]?.hasBracketStructure)
      const { empty, get } = yield* emptyPaths
      assert.deepStrictEqual(empty, [])
      // No simulated match lists coaches. The count of live matches comes from the live section.
      const { coverage } = (yield* get("/cs2")).data
      assert.deepStrictEqual(
        Object.entries(coverage).flatMap(([what, count]) => (count === 0 ? [what] : [])),
        ["live"],
      )
      const [utility] = (yield* get("/cs2/stats/utility")).data
      for (const kind of ["flashes", "smokes", "fireGrenades", "heGrenades"]) assert.isAbove(utility[kind], 0, kind)
    }).pipe(Effect.provide(stack(EventLogMemory.layer({ streams }), embeddedMemory))),
  360_000,
)

it.live(
  "leaves an archive alone that holds a match",
  () =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      yield* writer.match({
        source: "test",
        key: "1",
        status: "completed",
        startsAt: Date.parse("2026-01-01T12:00:00Z"),
        startsPrecision: "minute",
        teams: [{ name: "North" }, { name: "South" }],
        winner: 0,
        lineups: [[], []],
        games: [],
        confidence: "high",
      })
      yield* fillArchive(seasonSample)
      assert.strictEqual((yield* completed).total, 1)
    }).pipe(Effect.provide(Fresh)),
  60_000,
)
