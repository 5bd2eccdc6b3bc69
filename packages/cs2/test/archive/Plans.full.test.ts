/** Checks on every driver that no archive endpoint scans a large table. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import type { ForeignCursor } from "@matchpoint/store/paging/listReader"
import type { StoreError } from "@matchpoint/store/StoreError"
import { atTime } from "@matchpoint/testing/atTime"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { largeScans, plansOf } from "@matchpoint/testing/explain"
import { Context, Effect, Layer, Predicate } from "effect"
import { SqlClient } from "effect/sql"
import { describe, inject, it } from "vitest"
import { Archive } from "../../src/archive/Archive.ts"
import { SkinMarket } from "../../src/archive/skins/SkinMarket.ts"
import { HeadToHeads } from "../../src/archive/stats/HeadToHeads.ts"
import { PlayerStats } from "../../src/archive/stats/PlayerStats.ts"
import { StatsRefresh } from "../../src/archive/stats/StatsRefresh.ts"
import { TeamAndMapStats } from "../../src/archive/stats/TeamAndMapStats.ts"
import { insertLargeArchive } from "./fixtures/largeArchive.ts"
import {
  eventQuestions,
  matchQuestions,
  peopleQuestions,
  type Questions,
  referenceQuestions,
  sceneQuestions,
} from "./reads/archivePlans.ts"
import { largeTables } from "./reads/largeTables.ts"
import { matchPlans } from "./reads/matchPlans.ts"

const NOW = Date.parse("2026-11-22T12:00:00Z")

const used = new Set<string>()

/** Wraps the repositories and records which of their methods are called. */
const watched = <A>(built: Context.Context<A>): Context.Context<A> =>
  Context.makeUnsafe(
    new Map(
      [...built.mapUnsafe].map(([key, service]) => {
        const note = (of: object, name: string | symbol) => {
          used.add(`${key}.${String(name)}`)
          return Reflect.get(of, name)
        }
        return [key, Predicate.isObject(service) ? new Proxy(service, { get: note }) : service]
      }),
    ),
  )

const Watched = Layer.fromBuildMemo((memoMap, scope) => Effect.map(Layer.buildWithMemoMap(Archive.layer, memoMap, scope), watched))

/** Methods that are not reads on behalf of customers. */
const unasked: ReadonlySet<string> = new Set([`${SkinMarket.key}.write`, `${StatsRefresh.key}.refreshIfDue`, `${StatsRefresh.key}.request`])

const filled = (driver: typeof embeddedMemory) =>
  Layer.effectDiscard(
    Effect.andThen(
      insertLargeArchive(NOW),
      Effect.flatMap(StatsRefresh, ({ refresh }) => atTime(NOW)(refresh)),
    ),
  ).pipe(Layer.provideMerge(Watched), Layer.provide(Migrations.layer), Layer.provideMerge(driver))

type PlansIt = Vitest.MethodsNonLive<Layer.Success<typeof Archive.layer> | SqlClient.SqlClient>

const page = (days: number | null) => ({ window: { days, now: NOW }, minMaps: 1, limit: 50, offset: 0 })

const sections: Readonly<Record<string, Effect.Effect<Questions, never, Layer.Success<typeof Archive.layer>>>> = {
  "matches and games": matchQuestions(NOW),
  events: eventQuestions(NOW),
  "teams and players": peopleQuestions(NOW),
  "rankings, rosters, transfers": sceneQuestions(NOW),
  "search, changelog, odds, skins": referenceQuestions(NOW),
}

/** Returns a text for each violation. */
const scansOf = (questions: Questions) =>
  Effect.map(
    Effect.forEach(Object.entries(questions), ([name, question]) =>
      Effect.map(plansOf(question), (found) => largeScans(found, largeTables).map((scan) => `${name}: ${scan}`)),
    ),
    (scans) => scans.flat(),
  )

const plans = (it: PlansIt) => {
  matchPlans(NOW)(it)

  it.effect("statistics, in precomputed windows and others", () =>
    Effect.gen(function* () {
      const players = yield* PlayerStats
      const scene = yield* TeamAndMapStats
      const rivalries = yield* HeadToHeads
      const { state } = yield* StatsRefresh
      const wrong: Array<string> = []
      for (const days of [7, 14, 30, 90, 365, null]) {
        const lists: Readonly<Record<string, Effect.Effect<unknown, StoreError | ForeignCursor>>> = {
          rating: players.leaderboard("rating", page(days)),
          kast: players.leaderboard("kast", page(days)),
          players: players.players(page(days)),
          openingDuels: players.openingDuels(page(days)),
          clutches: players.clutches({ ...page(days), minAttempts: 1 }),
          flashAssists: players.flashAssists(page(days)),
          utility: players.utility(page(days)),
          economy: players.economy(page(days)),
          teams: scene.teams(page(days)),
          maps: scene.maps(page(days)),
          weapons: scene.weapons(page(days)),
          pistolRounds: scene.pistolRounds(page(days)),
          state,
          headToHead: rivalries.headToHead("cs2-team-7", "team-9", { days, now: NOW }),
          form: rivalries.form("team-7", { days, now: NOW }, 10),
        }
        for (const [name, list] of Object.entries(lists)) {
          for (const scan of largeScans(yield* plansOf(list), largeTables)) wrong.push(`${name}, ${days ?? "all"} days: ${scan}`)
        }
      }
      assert.deepStrictEqual(wrong, [])
    }),
  )

  for (const [name, questions] of Object.entries(sections)) {
    it.effect(name, () => Effect.map(Effect.flatMap(questions, scansOf), (scans) => assert.deepStrictEqual(scans, [])))
  }

  it.effect("covers every query that callers can make", () =>
    Effect.map(Effect.context<Layer.Success<typeof Archive.layer>>(), ({ mapUnsafe }) => {
      const methods = [...mapUnsafe].flatMap(([key, service]) =>
        key.startsWith("@matchpoint/cs2/archive/") && Predicate.isObject(service)
          ? Object.keys(service).map((name) => `${key}.${name}`)
          : [],
      )
      assert.isAbove(methods.length, 40)
      assert.deepStrictEqual(
        methods.filter((method) => !used.has(method) && !unasked.has(method)),
        [],
      )
    }),
  )

  it.effect("detects a full table scan", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const found = largeScans(yield* plansOf(sql`SELECT sum(kills) FROM cs2_player_games WHERE kills > ${3}`), largeTables)
      assert.strictEqual(found.length, 1)
      assert.match(found[0] ?? "", /^cs2_player_games is read/)
    }),
  )
}

layer(filled(embeddedMemory), { timeout: "5 minutes" })("Embedded", plans)

const databaseUrl = inject("databaseUrl")
if (databaseUrl === null) {
  describe("Postgres", () =>
    it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases", () => undefined))
} else {
  layer(filled(postgresDatabase(databaseUrl)), { timeout: "5 minutes" })("Postgres", plans)
}
