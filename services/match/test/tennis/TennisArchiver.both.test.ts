/** Finished live matches in the tennis archive: complete, once, after the delay and not before it. A crash loses none. */
import { assert, layer } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { feedMessageId, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { type FactId, factId, type MatchId } from "@matchpoint/domain/ids"
import { archiveDue } from "@matchpoint/game/live/archiveFinished"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { FinishedMatches } from "@matchpoint/store/live/FinishedMatches"
import { Matches } from "@matchpoint/store/live/Matches"
import { StoreError } from "@matchpoint/store/StoreError"
import { TennisMatchRecords } from "@matchpoint/tennis/archive/live/TennisMatchRecords"
import { rowLiteral } from "@matchpoint/tennis/archive/rowLiteral"
import { TennisArchiveWriter } from "@matchpoint/tennis/archive/TennisArchiveWriter"
import { encodeFeedEvent } from "@matchpoint/tennis/contract/feed"
import { writeMatch } from "@matchpoint/tennis/live/TennisArchiver"
import { tennisLiveGame } from "@matchpoint/tennis/live/tennisLiveGame"
import { TENNIS } from "@matchpoint/tennis/rules/game"
import type { FeedEvent } from "@matchpoint/tennis/rules/live/feedEvents"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { runMatch } from "../../src/actor/MatchActor.ts"
import { changesOf, simulatedTennisEvents } from "./simulated.ts"

const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({ ...defaults, lingerAfterEnd: "10 millis", checkpointEvery: "20 millis" })),
)

const services = (driver: AnyDatabase) =>
  Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings).pipe(
    Layer.provideMerge(Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(driver))),
    Layer.provideMerge(EventLogMemory.layer({ streams })),
  )

const archive = () => archiveDue({ game: TENNIS, write: writeMatch })

/** Registers the n-th simulated match and plays it to its end. `change` may replace its events. */
const play = Effect.fnUntraced(function* (
  n: number,
  change: (events: ReadonlyArray<FeedEvent>) => ReadonlyArray<FeedEvent> = (events) => events,
) {
  const matches = yield* Matches
  const log = yield* EventLog
  const team = { id: "x", name: "x" }
  const id = yield* matches.register(TENNIS, { bestOf: 3, team1: team, team2: team, config: {} })
  const events = change(simulatedTennisEvents(n, id))
  yield* Effect.forEach(events, (event) => log.append(feedSubject(id), feedMessageId(id, event.id), encodeFeedEvent(event)), {
    discard: true,
  })
  yield* runMatch(tennisLiveGame, id)
  return { id, state: (changesOf(events).at(-1) ?? assert.fail("no change")).after }
})

const own = (id: MatchId, events: ReadonlyArray<FeedEvent>, name: FactId) => {
  const at = (events.at(-1)?.observedAt ?? 0) + 1_000
  return { id: name, matchId: id, source: "main", observedAt: at, receivedAt: at } as const
}

/** Moves all recorded changes into the past by this many seconds. */
const pass = (seconds: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE matches SET changed_at = changed_at - ${seconds}::integer * interval '1 second'`)

const rowsOf = (id: MatchId, table = "tennis_matches") =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Record<string, unknown>>`SELECT *, match_date::text AS day FROM ${sql(table)} WHERE match_id = ${id}`,
  )

const suite = (it: Parameters<Parameters<ReturnType<typeof layer<Layer.Success<ReturnType<typeof services>>, unknown>>>[1]>[0]) => {
  it.effect("have their row after the delay of the slowest plan and not before", () =>
    Effect.gen(function* () {
      const { id, state } = yield* play(1)
      yield* pass(58)
      yield* archive()
      assert.lengthOf(yield* rowsOf(id), 0)
      yield* pass(3)
      yield* archive()
      const [row] = yield* rowsOf(id)
      const [winner, loser] = [state.tallies[state.winner ?? 0], state.tallies[state.winner === 0 ? 1 : 0]]
      assert.deepInclude(row, {
        tour: "atp",
        circuit: "tour",
        day: "2026-06-01",
        date_source: "live",
        score: "6-3 7-5",
        ending: "completed",
        tournament_id: "2026-99900",
        winner_id: state.sides[state.winner ?? 0].players[0]?.id,
        winner_aces: winner.aces,
        winner_serve_points: winner.servePoints,
        loser_break_points_faced: loser.breakPointsFaced,
        winner_first_in: null,
      })
      const record = Option.getOrThrow(yield* (yield* TennisMatchRecords).find(id))
      assert.deepInclude(record, { matchId: id, winnerGames: [6, 7], loserGames: [3, 5], tiebreakPoints: [null, null] })
    }),
  )

  it.effect("have profile, age and rank of the players that the archive knows", () =>
    Effect.gen(function* () {
      const writer = yield* TennisArchiveWriter
      const { id, state } = yield* play(3)
      const known = state.sides[state.winner ?? 0].players[0]?.id ?? assert.fail("no id")
      yield* writer.write("tennis_players", [rowLiteral([known, "atp", "A", "B", "L", "2000-06-01", "SUI", 190, null])])
      yield* writer.write("tennis_rankings", [
        rowLiteral([known, "2026-05-25", "atp", 7, 900, 20]),
        rowLiteral([known, "2026-05-18", "atp", 8, 800, 20]),
        rowLiteral([known, "2026-06-08", "atp", 5, 1000, 20]),
      ])
      yield* pass(61)
      yield* archive()
      assert.deepInclude((yield* rowsOf(id))[0], {
        winner_hand: "L",
        winner_height_cm: 190,
        winner_country: "SUI",
        winner_age: 26,
        winner_rank: 7,
        winner_rank_points: 900,
        loser_rank: null,
      })
    }),
  )

  it.effect("name the remaining player if a player of the match was merged meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id, state } = yield* play(6)
      const old = state.sides[state.winner ?? 0].players[0]?.id ?? assert.fail("no id")
      const writer = yield* TennisArchiveWriter
      yield* writer.write("tennis_players", [rowLiteral(["atp_4001", "atp", "A", "B", "L", "2000-06-01", "SUI", 190, null])])
      yield* sql`INSERT INTO tennis_player_merges (player_id, into_id, player_name, actor) VALUES (${old}, 'atp_4001', 'A B', 'Ada')`
      yield* pass(61)
      yield* archive()
      assert.deepInclude((yield* rowsOf(id))[0], { winner_id: "atp_4001", winner_height_cm: 190 })
      yield* sql`DELETE FROM tennis_player_merges`
    }),
  )

  it.effect("have it once if the process dies between writing the row and marking the match", () =>
    Effect.gen(function* () {
      const { id } = yield* play(2)
      yield* pass(61)
      const finished = yield* FinishedMatches
      const dies = FinishedMatches.of({
        ...finished,
        markArchived: () => Effect.fail(new StoreError({ operation: "FinishedMatches.markArchived", cause: new Error("killed") })),
      })
      yield* archive().pipe(Effect.provideService(FinishedMatches, dies))
      const before = yield* rowsOf(id)
      assert.lengthOf(before, 1)
      const due = Effect.map(finished.due(TENNIS, { settled: Duration.zero, after: 0, limit: 50 }), (rows) =>
        rows.some(({ matchId }) => matchId === id),
      )
      assert.isTrue(yield* due)
      yield* archive()
      assert.deepStrictEqual(yield* rowsOf(id), before)
      assert.isFalse(yield* due)
      yield* archive()
      assert.lengthOf(yield* rowsOf(id), 1)
    }),
  )

  it.effect("have it if the process dies before writing the row", () =>
    Effect.gen(function* () {
      const { id } = yield* play(4)
      yield* pass(61)
      const writer = yield* TennisArchiveWriter
      const dies = TennisArchiveWriter.of({
        ...writer,
        write: () => Effect.fail(new StoreError({ operation: "TennisArchiveWriter.write", cause: new Error("killed") })),
      })
      yield* archive().pipe(Effect.provideService(TennisArchiveWriter, dies))
      assert.lengthOf(yield* rowsOf(id), 0)
      yield* archive()
      assert.lengthOf(yield* rowsOf(id), 1)
    }),
  )

  it.effect("are stored as doubles if pairs have played", () =>
    Effect.gen(function* () {
      const { id, state } = yield* play(7)
      yield* pass(61)
      yield* archive()
      assert.lengthOf(yield* rowsOf(id), 0)
      const [row] = yield* rowsOf(id, "tennis_doubles_matches")
      assert.deepInclude(row, { circuit: "doubles", winner2_id: state.sides[state.winner ?? 0].players[1]?.id })
      const record = Option.getOrThrow(yield* (yield* TennisMatchRecords).find(id))
      assert.lengthOf(record.winners, 2)
    }),
  )

  it.effect("have the ending of a retirement, and no counters after a correction", () =>
    Effect.gen(function* () {
      const { id } = yield* play(5, (events) => {
        const first = events.slice(0, 40)
        const matchId = first[0]?.matchId ?? assert.fail("no event")
        const score = { sets: [{ games: [2, 1] as const, tieBreak: null }], points: [0, 0] as const, firstServer: 1 as const }
        const corrected: FeedEvent = { ...own(matchId, first, factId("c")), type: "ScoreCorrected", payload: score }
        return [...first, corrected, { ...own(matchId, [corrected], factId("r")), type: "Retired", payload: { side: 1 } }]
      })
      yield* pass(61)
      yield* archive()
      const [row] = yield* rowsOf(id)
      assert.deepInclude(row, { score: "2-1 RET", ending: "retired", winner_aces: null, loser_serve_points: null })
    }),
  )

  it.effect("have no row if they were cancelled or a player is unknown, and are not tried again", () =>
    Effect.gen(function* () {
      const cancelled = yield* play(6, (events) => {
        const first = events.slice(0, 20)
        const matchId = first[0]?.matchId ?? assert.fail("no event")
        return [...first, { ...own(matchId, first, factId("x")), type: "Cancelled", payload: {} }]
      })
      const unknown = yield* play(10, (events) =>
        events.map((event) =>
          event.type === "MatchCreated"
            ? { ...event, payload: { ...event.payload, sides: [{ players: [{ id: null, name: "Nobody" }] }, event.payload.sides[1]] } }
            : event,
        ),
      )
      yield* pass(61)
      yield* archive()
      for (const { id } of [cancelled, unknown]) assert.lengthOf(yield* rowsOf(id), 0)
      assert.lengthOf(yield* (yield* FinishedMatches).due(TENNIS, { settled: Duration.zero, after: 0, limit: 50 }), 0)
    }),
  )
}

onDatabaseOfRun((name, driver) => {
  layer(services(driver), { timeout: "60 seconds", excludeTestServices: true })(`finished tennis matches on ${name}`, suite)
})
