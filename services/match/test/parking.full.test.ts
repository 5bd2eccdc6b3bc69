/**
 * Writes of a match that the database rejects because of their content: parked, logged once, and retried when an
 * operator requests it.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { feedMessageId, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { MatchArchive } from "@matchpoint/cs2/archive/matches/MatchArchive"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { archiveDue } from "@matchpoint/cs2/live/MatchArchiver"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { writesParked } from "@matchpoint/game/live/parking"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { Matches } from "@matchpoint/store/live/Matches"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { Deferred, Effect, Fiber, Layer, Logger, Metric, Option } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { runMatch } from "../src/actor/MatchActor.ts"
import { retryResults } from "../src/ParkedResults.ts"
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

/** Runs `work` as if the process crashed right before this step: neither the step nor anything after it happens. */
const endingBefore = (step: "park" | "done") => {
  const ends = () => Effect.die(new Error("the process ends here"))
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<void, never, R | ParkedMatches> =>
    Effect.updateService(Effect.asVoid(Effect.exit(work)), ParkedMatches, (parked) => ({ ...parked, [step]: ends }))
}

/** Rows of a match in the register and the archive. */
const storedOf = (id: MatchId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const number = matchNumber(id)
    return sql`
      SELECT (SELECT row_to_json(m)::text FROM (SELECT status, result, ended_at FROM matches WHERE match_number = ${number}) AS m) AS register,
        (SELECT count(*)::integer FROM cs2_series WHERE match_number = ${number}) AS series,
        (SELECT count(*)::integer FROM cs2_games WHERE match_number = ${number}) AS games,
        (SELECT count(*)::integer FROM cs2_player_games WHERE match_number = ${number}) AS lines,
        (SELECT count(*)::integer FROM cs2_changelog WHERE entity_type = 'match' AND entity_id = ${id}) AS changes,
        (SELECT count(*)::integer FROM cs2_source_keys WHERE entity_type = 'match' AND entity_number = ${number}) AS keys`
  })

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
      const running = yield* Effect.scoped(
        Effect.gen(function* () {
          yield* refusedEnd(id, "53100")
          const warned = yield* Deferred.make<void>()
          const log = Logger.make(({ message }) => {
            if (String(message).startsWith(`${id}: cannot record the end; retrying`)) Deferred.doneUnsafe(warned, Effect.void)
          })
          const fiber = yield* Effect.forkDetach(Effect.provide(runMatch(cs2LiveGame, id), Logger.layer([log])))
          yield* Deferred.await(warned)
          assert.isUndefined(fiber.pollUnsafe(), "the match waits")
          assert.strictEqual(yield* statusOf(id), "live")
          return fiber
        }),
      )
      assert.deepStrictEqual(yield* parkedOf(id), [])
      yield* Fiber.join(running)
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

  it.effect("a crash between a stored write and the end of its parking stores nothing twice, and leaves no mark", () =>
    Effect.gen(function* () {
      const [id, other] = [yield* registered(35), yield* registered(36)]
      yield* runMatch(cs2LiveGame, other)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* refusedEnd(id, "22P05")
          yield* refused("cs2_series", "INSERT", other, "22021")
          yield* runMatch(cs2LiveGame, id)
          yield* archiveDue()
        }),
      )
      for (const one of [id, other]) yield* (yield* ParkedMatches).retry(one)

      yield* endingBefore("done")(retryResults(games))
      assert.deepStrictEqual([yield* statusOf(id), (yield* parkedOf(id)).length], ["completed", 1])
      const result = yield* storedOf(id)
      yield* runMatch(cs2LiveGame, id)
      yield* retryResults(games)
      assert.deepStrictEqual([yield* storedOf(id), yield* parkedOf(id)], [result, []])

      yield* endingBefore("done")(archiveDue())
      assert.strictEqual((yield* parkedOf(other)).length, 1)
      const [archived] = yield* storedOf(other)
      assert.strictEqual(archived?.["series"], 1)
      yield* archiveDue()
      assert.deepStrictEqual([(yield* storedOf(other))[0], yield* parkedOf(other)], [archived, []])
    }),
  )

  it.effect("a crash between a refused write and its parking loses nothing: it is tried, refused and parked after the restart", () =>
    Effect.gen(function* () {
      const [id, other] = [yield* registered(37), yield* registered(38)]
      yield* runMatch(cs2LiveGame, other)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* refusedEnd(id, "22P05")
          yield* refused("cs2_series", "INSERT", other, "22021")
          yield* endingBefore("park")(runMatch(cs2LiveGame, id))
          yield* endingBefore("park")(archiveDue())
          assert.deepStrictEqual([yield* parkedOf(id), yield* parkedOf(other)], [[], []])
          yield* runMatch(cs2LiveGame, id)
          yield* archiveDue()
          assert.deepStrictEqual(yield* parkedOf(id), [{ work: "result", sqlState: "22P05", attempts: 1 }])
          assert.deepStrictEqual(yield* parkedOf(other), [{ work: "archive", sqlState: "22021", attempts: 1 }])
        }),
      )
      for (const one of [id, other]) yield* (yield* ParkedMatches).retry(one)
      yield* retryResults(games)
      yield* archiveDue()
      assert.deepStrictEqual([yield* statusOf(id), yield* parkedOf(id), yield* parkedOf(other)], ["completed", [], []])
      assert.strictEqual((yield* storedOf(other))[0]?.["series"], 1)
    }),
  )
}

describe("parking", () => {
  layer(services(embeddedMemory), { excludeTestServices: true, timeout: "120 seconds" })("on PGlite", suite)

  const databaseUrl = inject("databaseUrl")
  if (databaseUrl === null) it.skip("on PostgreSQL: set DATABASE_URL", () => undefined)
  else layer(services(postgresDatabase(databaseUrl)), { excludeTestServices: true, timeout: "120 seconds" })("on PostgreSQL", suite)
})
