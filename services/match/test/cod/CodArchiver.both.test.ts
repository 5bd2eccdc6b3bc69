/** Finished live matches in the archive of the league: complete, once, after the delay and not before it. */
import { assert, layer } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { encodeFeedEvent } from "@matchpoint/cod/contract/feed"
import { writeMatch } from "@matchpoint/cod/live/CodArchiver"
import { codLiveGame } from "@matchpoint/cod/live/codLiveGame"
import { archiveIdOf } from "@matchpoint/cod/rules/archive/matchIds"
import { COD } from "@matchpoint/cod/rules/game"
import type { FeedEvent } from "@matchpoint/cod/rules/live/feedEvents"
import { unpackLine } from "@matchpoint/cod/rules/live/lines"
import { feedMessageId, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { factId, type MatchId } from "@matchpoint/domain/ids"
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
import { changesOf, simulatedCodEvents } from "./simulated.ts"

const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({ ...defaults, lingerAfterEnd: "10 millis", checkpointEvery: "20 millis" })),
)

const services = (driver: AnyDatabase) =>
  Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings).pipe(
    Layer.provideMerge(Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(driver))),
    Layer.provideMerge(EventLogMemory.layer({ streams })),
  )

const archive = archiveDue({ game: COD, write: writeMatch })
const snd = [{ mapName: "Harbor", mode: "snd", pickedBy: 0 } as const]

/** Registers the n-th simulated match, which one map decides, and plays it to its end. */
const play = Effect.fnUntraced(function* (
  n: number,
  change: (events: ReadonlyArray<FeedEvent>) => ReadonlyArray<FeedEvent> = (all) => all,
) {
  const matches = yield* Matches
  const log = yield* EventLog
  const team = { id: "x", name: "x" }
  const id = yield* matches.register(COD, { bestOf: 1, team1: team, team2: team, config: {} })
  const events = change(simulatedCodEvents(n, id, { bestOf: 1, maps: snd }))
  yield* Effect.forEach(events, (event) => log.append(feedSubject(id), feedMessageId(id, event.id), encodeFeedEvent(event)), {
    discard: true,
  })
  yield* runMatch(codLiveGame, id)
  return { id, state: (changesOf(events).at(-1) ?? assert.fail("no change")).after }
})

/** Moves all recorded changes into the past by this many seconds. */
const pass = (seconds: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE matches SET changed_at = changed_at - ${seconds}::integer * interval '1 second'`)

const rowsOf = (id: MatchId, table: "cod_matches" | "cod_maps" | "cod_player_lines") =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Record<string, unknown>>`SELECT * FROM ${sql(table)} WHERE match_id = ${archiveIdOf(id)}`,
  )

const suite = (it: Parameters<Parameters<ReturnType<typeof layer<Layer.Success<ReturnType<typeof services>>, unknown>>>[1]>[0]) => {
  it.effect("have their rows after the delay of the slowest plan and not before", () =>
    Effect.gen(function* () {
      const { id, state } = yield* play(1)
      yield* pass(58)
      yield* archive
      assert.lengthOf(yield* rowsOf(id, "cod_matches"), 0)
      yield* pass(3)
      yield* archive
      const winner = state.teams[state.winner ?? 0].slug
      assert.deepInclude((yield* rowsOf(id, "cod_matches"))[0], {
        winner_slug: winner,
        source: "live",
        status: "completed",
        simulated: true,
      })
      const [map] = state.maps
      assert.deepInclude((yield* rowsOf(id, "cod_maps"))[0], {
        mode: "snd",
        team1_score: map?.scores[0],
        team2_score: map?.scores[1],
        played: true,
      })
      const lines = yield* rowsOf(id, "cod_player_lines")
      assert.lengthOf(lines, 8)
      const line = unpackLine(map?.lines?.[0][0] ?? assert.fail("no line"))
      const player = state.teams[0].players[0]?.id
      assert.deepInclude(
        lines.find((row) => row["player_id"] === player),
        { kills: line.kills, deaths: line.deaths, damage: line.damage, first_bloods: line.firstBloods, hill_time: null },
      )
    }),
  )

  it.effect("have them once if the process dies between writing them and marking the match", () =>
    Effect.gen(function* () {
      const { id } = yield* play(2)
      yield* pass(61)
      const finished = yield* FinishedMatches
      const dies = FinishedMatches.of({
        ...finished,
        markArchived: () => Effect.fail(new StoreError({ operation: "FinishedMatches.markArchived", cause: new Error("killed") })),
      })
      yield* archive.pipe(Effect.provideService(FinishedMatches, dies))
      const before = yield* rowsOf(id, "cod_player_lines")
      assert.lengthOf(before, 8)
      yield* archive
      assert.deepStrictEqual(yield* rowsOf(id, "cod_player_lines"), before)
      assert.lengthOf(yield* rowsOf(id, "cod_matches"), 1)
      assert.lengthOf(yield* finished.due(COD, { settled: Duration.zero, after: 0, limit: 50 }), 0)
    }),
  )

  it.effect("have none if they were cancelled, and are not tried again", () =>
    Effect.gen(function* () {
      const { id } = yield* play(3, (events) => {
        const first = events.slice(0, 40)
        const last = first.at(-1) ?? assert.fail("no event")
        return [...first, { ...last, id: factId("x"), type: "Cancelled", payload: {} }]
      })
      yield* pass(61)
      yield* archive
      assert.lengthOf(yield* rowsOf(id, "cod_matches"), 0)
      assert.lengthOf(yield* (yield* FinishedMatches).due(COD, { settled: Duration.zero, after: 0, limit: 50 }), 0)
    }),
  )
}

onDatabaseOfRun((name, driver) => {
  layer(services(driver), { timeout: "60 seconds", excludeTestServices: true })(`finished Call of Duty matches on ${name}`, suite)
})
