/**
 * Writes of a match that the database rejects because of their content: parked, logged once, and retried when an
 * operator requests it.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { feedMessageId, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/contracts/cs2/feed"
import { matchId } from "@matchpoint/domain/cs2/ids"
import { CS2 } from "@matchpoint/domain/cs2/live/cs2Rules"
import { type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { MatchArchive } from "@matchpoint/store/cs2/matches/MatchArchive"
import { Migrations } from "@matchpoint/store/database/Migrations"
import { Matches } from "@matchpoint/store/live/Matches"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { Repositories } from "@matchpoint/store/Repositories"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { Effect, Exit, Layer, Metric, Option } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { cs2LiveGame } from "../src/cs2/cs2LiveGame.ts"
import { archiveDue } from "../src/cs2/MatchArchiver.ts"
import { runMatch } from "../src/MatchActor.ts"
import { MatchCheckpoints } from "../src/MatchCheckpoints.ts"
import { MatchConfig } from "../src/MatchConfig.ts"
import { retryResults } from "../src/ParkedResults.ts"
import { writesParked } from "../src/parking.ts"
import { foldToRecords, simulatedEvents } from "./simulated.ts"

const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({ ...defaults, lingerAfterEnd: "10 millis", checkpointEvery: "20 millis", archiveAfter: 0 })),
)

const services = (driver: typeof embeddedMemory | ReturnType<typeof postgresDatabase>) =>
  Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings).pipe(
    Layer.provideMerge(Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(driver))),
    Layer.provideMerge(EventLogMemory.layer({ streams })),
  )

const games = new Map([["cs2", cs2LiveGame]])

/** Registers a match and appends all its facts to FEED. */
const registered = Effect.fnUntraced(function* (seed: number) {
  const matches = yield* Matches
  const log = yield* EventLog
  const { state } = foldToRecords(matchId(1), simulatedEvents(seed, matchId(1)).slice(0, 1))
  const [team1, team2] = state?.teams ?? assert.fail("no match")
  const id = matchId(matchNumber(yield* matches.register(CS2, { bestOf: 1, team1, team2, config: {} })))
  yield* Effect.forEach(
    simulatedEvents(seed, id),
    (event) => log.append(feedSubject(id), feedMessageId(id, event.id), encodeFeedEvent(event)),
    { discard: true },
  )
  return id
})

/** Makes the database reject `event` on a table for one match with an SQL state, until the scope closes. */
const refused = (table: string, event: string, id: MatchId, state: string, when = "true") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const name = `refuse_${table}_${matchNumber(id)}`
    yield* sql.unsafe(`
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no such text' USING ERRCODE = '${state}'; END $$`)
    yield* sql.unsafe(`
      CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ROW WHEN (NEW.match_number = ${matchNumber(id)} AND ${when})
      EXECUTE FUNCTION ${name}()`)
    yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP FUNCTION ${name} CASCADE`)))
  })

const refusedEnd = (id: MatchId, state: string) => refused("matches", "UPDATE", id, state, "NEW.status = 'completed'")

const parkedOf = (id: MatchId) =>
  Effect.map(
    Effect.flatMap(ParkedMatches, (parked) => parked.list({ limit: 100, offset: 0 })),
    ({ rows }) => rows.filter((row) => row.matchId === id).map(({ attempts, sqlState, work }) => ({ attempts, sqlState, work })),
  )

const statusOf = (id: MatchId) =>
  Effect.map(
    Effect.flatMap(Matches, (matches) => matches.find(id)),
    (row) => Option.getOrThrow(row).status,
  )

const timesParked = Effect.map(Metric.value(writesParked), ({ count }) => Number(count))

const suite = (it: Parameters<Parameters<ReturnType<typeof layer<Layer.Success<ReturnType<typeof services>>, unknown>>>[1]>[0]) => {
  it.effect("parks a rejected result, keeps it parked across restarts, and stores it on retry", () =>
    Effect.gen(function* () {
      const id = yield* registered(31)
      const before = yield* timesParked
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* refusedEnd(id, "22P05")
          yield* runMatch(cs2LiveGame, id)
          assert.deepStrictEqual(yield* parkedOf(id), [{ work: "result", sqlState: "22P05", attempts: 1 }])
          // A restart finds the parked write and does not try it again.
          yield* runMatch(cs2LiveGame, id)
          yield* retryResults(games)
          assert.deepStrictEqual(yield* parkedOf(id), [{ work: "result", sqlState: "22P05", attempts: 1 }])
          assert.strictEqual((yield* timesParked) - before, 1)
          // The cause still exists.
          yield* (yield* ParkedMatches).retry(id)
          yield* retryResults(games)
          assert.deepStrictEqual(yield* parkedOf(id), [{ work: "result", sqlState: "22P05", attempts: 2 }])
          assert.strictEqual(yield* statusOf(id), "live")
        }),
      )
      yield* runMatch(cs2LiveGame, id)
      assert.strictEqual(yield* statusOf(id), "live")
      yield* (yield* ParkedMatches).retry(id)
      yield* retryResults(games)
      assert.deepStrictEqual([yield* parkedOf(id), yield* statusOf(id)], [[], "completed"])
    }),
  )

  it.effect("parks nothing after a temporary failure", () =>
    Effect.gen(function* () {
      const id = yield* registered(32)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* refusedEnd(id, "53100")
          assert.isTrue(Exit.isFailure(yield* Effect.exit(runMatch(cs2LiveGame, id))))
        }),
      )
      assert.deepStrictEqual(yield* parkedOf(id), [])
      yield* runMatch(cs2LiveGame, id)
      assert.strictEqual(yield* statusOf(id), "completed")
    }),
  )

  it.effect("parks a match that the archive rejects, continues with others, and archives it on retry", () =>
    Effect.gen(function* () {
      const [id, other] = [yield* registered(33), yield* registered(34)]
      const archived = (of: MatchId) =>
        Effect.map(
          Effect.flatMap(MatchArchive, (archive) => archive.find(matchNumber(of))),
          Option.isSome,
        )
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* refused("cs2_series", "INSERT", id, "22021")
          yield* archiveDue()
          yield* archiveDue()
          assert.deepStrictEqual(yield* parkedOf(id), [{ work: "archive", sqlState: "22021", attempts: 1 }])
          assert.deepStrictEqual([yield* archived(id), yield* archived(other)], [false, true])
          yield* (yield* ParkedMatches).retry(id)
          yield* archiveDue()
          assert.deepStrictEqual(yield* parkedOf(id), [{ work: "archive", sqlState: "22021", attempts: 2 }])
        }),
      )
      yield* archiveDue()
      assert.isFalse(yield* archived(id))
      yield* (yield* ParkedMatches).retry(id)
      yield* archiveDue()
      assert.deepStrictEqual([yield* parkedOf(id), yield* archived(id)], [[], true])
    }),
  )
}

describe("parking", () => {
  layer(services(embeddedMemory), { excludeTestServices: true, timeout: "120 seconds" })("on PGlite", suite)

  const databaseUrl = inject("databaseUrl")
  if (databaseUrl === null) it.skip("on PostgreSQL: set DATABASE_URL", () => undefined)
  else layer(services(postgresDatabase(databaseUrl)), { excludeTestServices: true, timeout: "120 seconds" })("on PostgreSQL", suite)
})
