/** Finished lobbies in the Apex archive: complete, once, after the delay, and whatever a crash interrupts. */
import { assert, layer } from "@effect/vitest"
import { ApexArchiveWriter } from "@matchpoint/apex/archive/ApexArchiveWriter"
import { ApexSummaries } from "@matchpoint/apex/archive/summaries/ApexSummaries"
import { encodeFeedEvent } from "@matchpoint/apex/contract/feed"
import { writeLobby } from "@matchpoint/apex/live/ApexArchiver"
import { apexLiveGame } from "@matchpoint/apex/live/apexLiveGame"
import { APEX } from "@matchpoint/apex/rules/game"
import { foldAll } from "@matchpoint/apex/rules/live/fold"
import { simulateLobby } from "@matchpoint/apex/simulator/live/simulateLobby"
import { toFeedEvent } from "@matchpoint/apex/simulator/live/timedFact"
import { scheduledLobby } from "@matchpoint/apex/simulator/live/world"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { feedMessageId, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import type { MatchId } from "@matchpoint/domain/ids"
import { archiveDue } from "@matchpoint/game/live/archiveFinished"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { FinishedMatches } from "@matchpoint/store/live/FinishedMatches"
import { Matches } from "@matchpoint/store/live/Matches"
import { StoreError } from "@matchpoint/store/StoreError"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { runMatch } from "../../src/actor/MatchActor.ts"

const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({ ...defaults, lingerAfterEnd: "10 millis", checkpointEvery: "20 millis" })),
)

const services = (driver: AnyDatabase) =>
  Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings).pipe(
    Layer.provideMerge(Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(driver))),
    Layer.provideMerge(EventLogMemory.layer({ streams })),
  )

const archive = archiveDue({ game: APEX, write: writeLobby })
const TEAMS = 4
const GAMES = 2

/** Registers a lobby of four teams and two games and plays it to its end. */
const play = Effect.fnUntraced(function* (n: number) {
  const matches = yield* Matches
  const log = yield* EventLog
  const team = { id: "x", name: "x" }
  const id = yield* matches.register(APEX, { bestOf: GAMES, team1: team, team2: team, config: {} })
  const { lobby, seed, squads } = scheduledLobby(1, n, 2026)
  const sheet = { ...lobby, format: { games: GAMES, matchPoint: null }, teams: lobby.teams.slice(0, TEAMS) }
  const facts = simulateLobby({ seed, matchId: id, lobby: sheet, squads: squads.slice(0, TEAMS) })
  const events = [...facts].map((fact) => {
    const at = Date.UTC(2026, 5, 1, 12) + fact.offsetMs
    return toFeedEvent(fact, { observedAt: at, receivedAt: at })
  })
  yield* Effect.forEach(events, (event) => log.append(feedSubject(id), feedMessageId(id, event.id), encodeFeedEvent(event)), {
    discard: true,
  })
  yield* runMatch(apexLiveGame, id)
  return { id, state: foldAll(undefined, events) ?? assert.fail("no lobby") }
})

/** Moves all recorded changes into the past by this many seconds. */
const pass = (seconds: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE matches SET changed_at = changed_at - ${seconds}::integer * interval '1 second'`)

const rowsOf = (id: MatchId, table: "apex_series" | "apex_games") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql<Record<string, unknown>>`SELECT * FROM ${sql(table)} WHERE series_id = ${id}`)

/** The totals of all players, which the summaries compute from the series. */
const totals = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM apex_player_totals ORDER BY tournament_id, player_id`)

const killed = (operation: string) => Effect.fail(new StoreError({ operation, cause: new Error("killed") }))

/** Points at which the process dies: a run of the archiver that dies there, and the number of rows of the series that it leaves. */
const crashes = [
  {
    at: "before the series is written",
    rows: 0,
    run: Effect.flatMap(ApexArchiveWriter, (writer) =>
      Effect.provideService(archive, ApexArchiveWriter, { ...writer, writeSeries: () => killed("ApexArchiveWriter.writeSeries") }),
    ),
  },
  {
    at: "between the series and its summaries",
    rows: 1,
    run: Effect.flatMap(ApexSummaries, (summaries) =>
      Effect.provideService(archive, ApexSummaries, { ...summaries, refresh: killed("ApexSummaries.refresh") }),
    ),
  },
  {
    at: "between the summaries and the mark of the match",
    rows: 1,
    run: Effect.flatMap(FinishedMatches, (finished) =>
      Effect.provideService(archive, FinishedMatches, { ...finished, markArchived: () => killed("FinishedMatches.markArchived") }),
    ),
  },
]

const suite = (it: Parameters<Parameters<ReturnType<typeof layer<Layer.Success<ReturnType<typeof services>>, unknown>>>[1]>[0]) => {
  it.effect("have their rows after the delay of the slowest plan and not before", () =>
    Effect.gen(function* () {
      const { id, state } = yield* play(1)
      assert.strictEqual(state.status, "completed")
      yield* pass(58)
      yield* archive
      assert.lengthOf(yield* rowsOf(id, "apex_series"), 0)
      yield* pass(3)
      yield* archive
      const [row] = yield* rowsOf(id, "apex_series")
      assert.deepInclude(row, { status: "completed", source: "live" })
      assert.lengthOf(yield* rowsOf(id, "apex_games"), GAMES)
    }),
  )

  for (const [index, { at, rows, run }] of crashes.entries()) {
    it.effect(`have them once if the process dies ${at}`, () =>
      Effect.gen(function* () {
        const { id } = yield* play(index + 2)
        yield* pass(61)
        yield* run
        const before = yield* rowsOf(id, "apex_series")
        assert.lengthOf(before, rows)
        yield* archive
        const after = yield* rowsOf(id, "apex_series")
        assert.lengthOf(after, 1)
        if (rows > 0) assert.deepStrictEqual(after, before)
        assert.lengthOf(yield* rowsOf(id, "apex_games"), GAMES)
        const once = yield* totals
        assert.isNotEmpty(once)
        assert.lengthOf(yield* (yield* FinishedMatches).due(APEX, { settled: Duration.zero, after: 0, limit: 50 }), 0)
        yield* archive
        assert.deepStrictEqual(yield* totals, once)
      }),
    )
  }
}

onDatabaseOfRun((name, driver) => {
  layer(services(driver), { timeout: "60 seconds", excludeTestServices: true })(`finished Apex lobbies on ${name}`, suite)
})
