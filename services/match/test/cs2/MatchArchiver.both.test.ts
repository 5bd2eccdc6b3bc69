/** Live matches in the archive: complete, once, after the delay and not before it. A crash loses none. */
import { assert, layer } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { feedMessageId, feedSubject, LIVE, liveSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { ArchiveWriter } from "@matchpoint/cs2/archive/ArchiveWriter"
import { GameArchive } from "@matchpoint/cs2/archive/matches/GameArchive"
import { MatchArchive } from "@matchpoint/cs2/archive/matches/MatchArchive"
import { PlayerArchive } from "@matchpoint/cs2/archive/players/PlayerArchive"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { archiveDue } from "@matchpoint/cs2/live/MatchArchiver"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { matchNumber } from "@matchpoint/domain/ids"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { Matches } from "@matchpoint/store/live/Matches"
import { StoreError } from "@matchpoint/store/StoreError"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { DateTime, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { runMatch } from "../../src/actor/MatchActor.ts"
import { foldToRecords, simulatedEvents } from "../simulated.ts"

const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({ ...defaults, lingerAfterEnd: "10 millis", checkpointEvery: "20 millis" })),
)

const services = (driver: AnyDatabase) =>
  Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings).pipe(
    Layer.provideMerge(Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(driver))),
    Layer.provideMerge(EventLogMemory.layer({ streams })),
  )

/** Registers a simulated match and generates it again with the assigned number. */
const register = Effect.fnUntraced(function* (seed: number) {
  const matches = yield* Matches
  const { state } = foldToRecords(matchId(1), simulatedEvents(seed, matchId(1)).slice(0, 1))
  const [team1, team2] = state?.teams ?? assert.fail("no match")
  const number = matchNumber(yield* matches.register(CS2, { bestOf: 1, team1, team2, config: {} }))
  const events = simulatedEvents(seed, matchId(number))
  return { number, events, ...foldToRecords(matchId(number), events) }
})

const play = Effect.fnUntraced(function* (match: Effect.Success<ReturnType<typeof register>>) {
  const log = yield* EventLog
  const id = matchId(match.number)
  yield* Effect.forEach(match.events, (event) => log.append(feedSubject(id), feedMessageId(id, event.id), encodeFeedEvent(event)), {
    discard: true,
  })
  yield* runMatch(cs2LiveGame, id)
})

/** Moves all recorded changes into the past by this many seconds. */
const pass = (seconds: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE matches SET changed_at = changed_at - ${seconds}::integer * interval '1 second'`)

const found = (number: number) => Effect.flatMap(MatchArchive, (archive) => archive.find(number))

const suite = (it: Parameters<Parameters<ReturnType<typeof layer<Layer.Success<ReturnType<typeof services>>, unknown>>>[1]>[0]) => {
  it.effect("archives a match after the delay of the slowest plan and not before", () =>
    Effect.gen(function* () {
      const match = yield* register(21)
      yield* archiveDue()
      assert.isTrue(Option.isNone(yield* found(match.number)))
      yield* pass(61)
      yield* archiveDue()
      assert.deepInclude(Option.getOrThrow(yield* found(match.number)), { status: "upcoming", team1Score: null, maps: [] })
      yield* play(match)
      // The match is over, but the archive shows neither its result nor its start.
      yield* pass(58)
      yield* archiveDue()
      const before = Option.getOrThrow(yield* found(match.number))
      assert.deepInclude(before, { status: "upcoming", team1Score: null, winnerTeamId: null, maps: [] })
      const archive = yield* MatchArchive
      assert.strictEqual((yield* archive.list({ status: "completed", team: before.team1Id, limit: 10, offset: 0 })).total, 0)
      yield* pass(3)
      yield* archiveDue()
      const after = Option.getOrThrow(yield* found(match.number))
      assert.strictEqual(after.status, "completed")
      assert.deepStrictEqual([after.team1Score, after.team2Score], match.state?.seriesScore.map(Number))
      assert.strictEqual((yield* archive.list({ status: "completed", team: before.team1Id, limit: 10, offset: 0 })).total, 1)
    }),
  )

  it.effect("shows the map score of a live match after the delay of the slowest plan", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const match = yield* register(26)
      const scoreOf = Effect.map(found(match.number), (one) => Option.getOrThrow(one).liveState)
      yield* matches.markLive(matchId(match.number), DateTime.makeUnsafe("2026-03-01T18:00:00Z"))
      yield* pass(61)
      yield* archiveDue()
      assert.deepInclude(yield* scoreOf, { status: "live", team1Score: 0, team2Score: 0, winnerTeamId: null })
      yield* matches.advance(matchId(match.number), [0, 1])
      yield* pass(58)
      yield* archiveDue()
      assert.deepInclude(yield* scoreOf, { team1Score: 0, team2Score: 0 })
      yield* pass(3)
      yield* archiveDue()
      assert.deepInclude(yield* scoreOf, { status: "live", team1Score: 0, team2Score: 1, winnerTeamId: null })
    }),
  )

  it.effect("archives player statistics, rounds and events as the fold has them", () =>
    Effect.gen(function* () {
      const match = yield* register(22)
      yield* play(match)
      yield* pass(61)
      yield* archiveDue()
      const games = yield* GameArchive
      const [map] = match.state?.maps ?? assert.fail("no map")
      const of = { matchNumber: match.number, mapNumber: 1 }
      const { game, source } = Option.getOrThrow(yield* games.find(of))
      assert.strictEqual(source, "live")
      assert.deepStrictEqual([game.score.team1, game.score.team2, game.durationRounds], [map?.score[0], map?.score[1], map?.roundsPlayed])
      assert.deepStrictEqual(
        game.team1Halves,
        map?.halves.map(([one]) => one),
      )
      const lines = new Map(map?.lines.map((line) => [line.playerId, line]))
      assert.strictEqual(game.playerStats.length, 10)
      for (const line of game.playerStats) {
        const archived = lines.get(line.playerId)
        assert.deepStrictEqual(
          [line.kills, line.deaths, line.assists, line.headshots, line.firstKills, line.clutchesWon],
          [archived?.kills, archived?.deaths, archived?.assists, archived?.headshots, archived?.firstKills, archived?.clutchesWon],
        )
        assert.closeTo(line.adr ?? -1, (archived?.damage ?? 0) / (map?.roundsPlayed ?? 1), 0.006)
      }
      const rounds = yield* games.rounds(of, { limit: 200, offset: 0 })
      assert.strictEqual(rounds.total, map?.rounds.length)
      const events = yield* games.events(of, { type: "Kill" }, { limit: 5_000, offset: 0 })
      assert.isAbove(events.total, 50)
      assert.match(events.rows[0]?.id ?? "", /^live_evt_[0-9]+$/)
      const lineups = Option.getOrThrow(yield* found(match.number)).lineups
      assert.deepStrictEqual([lineups.team1.length, lineups.team2.length], [5, 5])
    }),
  )

  it.effect("archives real names and the buy types of each round", () =>
    Effect.gen(function* () {
      const match = yield* register(28)
      yield* play(match)
      yield* pass(61)
      yield* archiveDue()
      const players = yield* PlayerArchive
      for (const { id, name } of match.state?.players ?? assert.fail("no players")) {
        assert.strictEqual(Option.getOrThrow(yield* players.profile(id)).realName, name)
      }
      const { rows } = yield* (yield* GameArchive).rounds({ matchNumber: match.number, mapNumber: 1 }, { limit: 200, offset: 0 })
      assert.deepStrictEqual(
        rows.filter(({ ctBuyType, tBuyType }) => ctBuyType === null || tBuyType === null),
        [],
      )
      assert.deepStrictEqual(
        rows.filter(({ ctBuyType, tBuyType }) => ctBuyType === "pistol" && tBuyType === "pistol").map(({ round }) => round),
        [1, 13],
      )
      const bought = new Set(rows.flatMap(({ ctBuyType, tBuyType }) => [ctBuyType, tBuyType]))
      assert.isTrue(bought.has("full") && bought.has("eco"))
    }),
  )

  it.effect("archives the players of a live match before it is over", () =>
    Effect.gen(function* () {
      const checkpoints = yield* MatchCheckpoints
      const matches = yield* Matches
      const match = yield* register(29)
      const { state } = foldToRecords(matchId(match.number), match.events.slice(0, 400))
      if (state === undefined) assert.fail("no state")
      yield* matches.markLive(matchId(match.number), DateTime.makeUnsafe("2026-03-01T18:00:00Z"))
      yield* checkpoints.save(cs2LiveGame.rules, state, 400)
      yield* pass(61)
      yield* archiveDue()
      const players = yield* PlayerArchive
      for (const { id, name, team } of state.players) {
        assert.deepInclude(Option.getOrThrow(yield* players.profile(id)), { realName: name, currentTeamId: state.teams[team].id })
      }
    }),
  )

  it.effect("keeps the timeline if two owners published the same record", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const match = yield* register(27)
      yield* play(match)
      const subject = liveSubject(matchId(match.number))
      const records = yield* Stream.runCollect(log.read(LIVE, subject, { _tag: "First" }))
      const repeated = records[records.length - 20] ?? assert.fail("no records")
      yield* log.append(subject, `${repeated.id}:again`, repeated.data)
      yield* pass(61)
      yield* archiveDue()
      const games = yield* GameArchive
      const kills = { matchNumber: match.number, mapNumber: 1 }
      const events = yield* games.events(kills, { type: "Kill" }, { limit: 5_000, offset: 0 })
      assert.isAbove(events.total, 50)
    }),
  )

  it.effect("stays unchanged if a match is archived again, by one or two nodes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const match = yield* register(23)
      yield* play(match)
      yield* pass(61)
      yield* archiveDue()
      const rows = Effect.all([
        sql`SELECT * FROM cs2_series WHERE match_number = ${match.number}`,
        sql`SELECT * FROM cs2_games WHERE match_number = ${match.number}`,
        sql`SELECT * FROM cs2_player_games WHERE match_number = ${match.number} ORDER BY player_number`,
        sql`SELECT * FROM cs2_game_events WHERE match_number = ${match.number} ORDER BY ordinal`,
        sql`SELECT * FROM cs2_rounds WHERE match_number = ${match.number} ORDER BY round`,
      ])
      const once = yield* rows
      // Simulates a crash after the write and before it was marked as done, and then two nodes at once.
      yield* sql`UPDATE matches SET archived_status = NULL WHERE match_number = ${match.number}`
      yield* Effect.all([archiveDue(), archiveDue()], { concurrency: 2 })
      assert.deepStrictEqual(yield* rows, once)
    }),
  )

  it.effect("archives a rejected match later and does not delay others", () =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      const [one, other] = [yield* register(24), yield* register(25)]
      yield* pass(61)
      const refusing = ArchiveWriter.of({
        ...writer,
        match: (match) =>
          match.matchNumber === one.number
            ? Effect.fail(new StoreError({ operation: "ArchiveWriter.match", cause: new Error("refused") }))
            : writer.match(match),
      })
      yield* Effect.provideService(archiveDue(), ArchiveWriter, refusing)
      assert.isTrue(Option.isNone(yield* found(one.number)))
      assert.isTrue(Option.isSome(yield* found(other.number)))
      yield* archiveDue()
      assert.isTrue(Option.isSome(yield* found(one.number)))
    }),
  )
}

onDatabaseOfRun((database, driver) =>
  layer(services(driver), { timeout: "60 seconds", excludeTestServices: true })(`MatchArchiver on ${database}`, suite),
)
