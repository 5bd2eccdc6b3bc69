/**
 * Tests matches whose game server uses other team names than the register, from the posted log to the archive. An alias
 * identifies the team; it is given at registration or after the end. Uses real requests and the real intake, actor,
 * store and archiver.
 */
import { assert, describe, it } from "@effect/vitest"
import { MatchArchive } from "@matchpoint/cs2/archive/matches/MatchArchive"
import { TeamArchive } from "@matchpoint/cs2/archive/teams/TeamArchive"
import { Registered } from "@matchpoint/cs2/contract/http/feed/Cs2FeedApi"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { archiveDue } from "@matchpoint/cs2/live/MatchArchiver"
import { type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { runMatch } from "@matchpoint/service-match/actor/MatchActor"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { samples, textOf } from "@matchpoint/testing/recordedData"
import { Effect, Layer, Option, Schedule, Schema } from "effect"
import { inject } from "vitest"
import { intakeServer, post } from "../../services/feed/test/intake/intakeServer.ts"

const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({ ...defaults, lingerAfterEnd: "10 millis", checkpointEvery: "20 millis", archiveAfter: 0 })),
)

const databaseUrl = inject("databaseUrl")

const database = databaseUrl === null ? embeddedMemory : postgresDatabase(databaseUrl)

/** A separate store, the intake in front of it, and the services that play and archive its matches. */
const services = Layer.unwrap(
  Effect.map(Layer.build(Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(database))), (built) => {
    const store = Layer.succeedContext(built)
    return Layer.mergeAll(intakeServer({}, store), MatchCheckpoints.layer.pipe(Layer.provide(store)), Settings, store)
  }),
)

const decodeRegistered = Schema.decodeUnknownEffect(Schema.Struct({ data: Registered }))

/** In the log, North starts as CT and wins 2:1. Without aliases it is taken for the first team, Zulu. */
const serverLog = textOf(samples, "server.log")

/** Registers a match of Zulu against Yankee, posts the whole log and plays it. */
const played = Effect.fnUntraced(function* (aliases: { readonly zulu?: ReadonlyArray<string>; readonly yankee?: ReadonlyArray<string> }) {
  const teams = [
    { name: "Zulu", aliases: aliases.zulu ?? [] },
    { name: "Yankee", aliases: aliases.yankee ?? [] },
  ]
  const { body } = yield* post("/matches", { bestOf: 1, teams })
  const { matchId } = (yield* decodeRegistered(body)).data
  yield* Effect.forkScoped(runMatch(cs2LiveGame, matchId))
  const receipt = yield* post(`/matches/${matchId}/log`, serverLog)
  assert.strictEqual(receipt.status, 200)
  return { matchId, receipt: JSON.stringify(receipt.body) }
})

/** Waits until the archive has the match as completed and `done` accepts it, and returns it. */
const archived = (matchId: MatchId, done: (match: { readonly winnerTeamId: string | null }) => boolean) =>
  Effect.gen(function* () {
    yield* archiveDue()
    const found = yield* (yield* MatchArchive).find(matchNumber(matchId))
    return Option.getOrUndefined(Option.filter(found, (match) => match.status === "completed" && done(match)))
  }).pipe(
    Effect.repeat({ until: (match) => match !== undefined, schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("20 seconds"),
    Effect.map((match) => match ?? assert.fail("no match")),
  )

/** Asserts that Yankee won 2:1, in the match and in the records of both teams. */
const assertYankeeWon = Effect.fnUntraced(function* (matchId: MatchId) {
  const match = yield* archived(matchId, ({ winnerTeamId }) => winnerTeamId !== null)
  const { maps, team1Id, team1Name, team1Score, team2Id, team2Name, team2Score, winnerTeamId } = match
  assert.deepStrictEqual([team1Name, team1Score, team2Name, team2Score, winnerTeamId], ["Zulu", 0, "Yankee", 1, team2Id])
  assert.deepStrictEqual(
    maps.map((map) => [map.team1Score, map.team2Score, map.winnerTeamId]),
    [[1, 2, team2Id]],
  )
  const teams = yield* TeamArchive
  const record = (id: string | null) =>
    Effect.map(teams.profile(id ?? ""), (team) => {
      const { name, stats } = Option.getOrThrow(team)
      return [name, stats.matchWins, stats.matchLosses, stats.roundsFor, stats.roundsAgainst]
    })
  assert.deepStrictEqual(yield* record(team1Id), ["Zulu", 0, 1, 1, 2])
  assert.deepStrictEqual(yield* record(team2Id), ["Yankee", 1, 0, 2, 1])
  // No team was created under the game server's names.
  const { rows } = yield* teams.list({ limit: 50, offset: 0, order: "name" })
  assert.deepStrictEqual(
    rows.map(({ name }) => name).filter((name) => ["North", "South"].includes(name)),
    [],
  )
})

describe("aliases of teams", () => {
  it.live(
    "given at registration, credit the result to the right team",
    () =>
      Effect.gen(function* () {
        const { matchId, receipt } = yield* played({ zulu: ["South"], yankee: ["North"] })
        assert.notInclude(receipt, "unresolvedNames")
        yield* assertYankeeWon(matchId)
      }).pipe(Effect.provide(services), Effect.scoped),
    60_000,
  )

  it.live(
    "given after the end, add the missing result and credit it to the right team",
    () =>
      Effect.gen(function* () {
        const { matchId, receipt } = yield* played({})
        assert.include(receipt, '"unresolvedNames"')
        const open = yield* archived(matchId, () => true)
        assert.deepStrictEqual([open.team1Score, open.team2Score, open.winnerTeamId, open.maps], [null, null, null, []])
        const answer = yield* post(`/matches/${matchId}/aliases`, [{ team: 2, name: "North" }])
        assert.strictEqual(answer.status, 200)
        yield* assertYankeeWon(matchId)
      }).pipe(Effect.provide(services), Effect.scoped),
    60_000,
  )
})
