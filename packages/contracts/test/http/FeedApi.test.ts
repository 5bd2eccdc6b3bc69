/** The contract of the intake: its OpenAPI description, and the values that its schemas accept. */
import { assert, describe, it } from "@effect/vitest"
import { Fact, Facts, Registration } from "@matchpoint/cs2/contract/http/feed/Cs2FeedApi"
import { FeedApi } from "@matchpoint/games/api/FeedApi"
import { Effect, Result, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { PayloadTooLarge } from "../../src/http/errors.ts"
import { FEED_ROOT, MAX_FEED_EVENTS } from "../../src/http/feed/FactsApi.ts"

const registers = Schema.decodeUnknownResult(Registration)
const decodeFact = Schema.decodeUnknownResult(Fact)
const decodeFacts = Schema.decodeUnknownResult(Facts)

const teams = [{ name: "North" }, { name: "South" }]
const fact = { id: "a:1", type: "RoundLive", observedAt: 0, payload: {} }

describe("FeedApi", () => {
  it.effect("describes every path and its errors in OpenAPI", () =>
    Effect.sync(() => {
      const { paths } = OpenApi.fromApi(FeedApi)
      const match = `${FEED_ROOT}/matches/{matchId}`
      assert.sameMembers(Object.keys(paths), [
        `${FEED_ROOT}/matches`,
        `${match}/log`,
        `${match}/gsi`,
        `${match}/events`,
        match,
        `${match}/aliases`,
        `${match}/end`,
        `${FEED_ROOT}/odds`,
        `${FEED_ROOT}/{game}/matches`,
        `${FEED_ROOT}/{game}/matches/{matchId}/events`,
      ])
      for (const path of Object.values(paths)) {
        if (path.post === undefined) continue
        assert.includeMembers(Object.keys(path.post.responses), ["200", "400", "401", "413", "503"])
      }
      assert.property(paths[`${match}/log`]?.post?.responses, "404")
    }),
  )

  it.effect.each([
    ["only the required fields", { bestOf: 1, teams }, true],
    ["some rules", { bestOf: 3, teams, rules: { maxRounds: 16 } }, true],
    ["a player with a Steam id", { bestOf: 1, teams, roster: [{ steamId64: "76561197960266029", team: 1, nickname: "ana" }] }, true],
    [
      "a player with two ids",
      { bestOf: 1, teams, roster: [{ steamId64: "76561197960266029", playerId: "cs2-player-1", team: 1, nickname: "a" }] },
      false,
    ],
    ["a player of a third team", { bestOf: 1, teams, roster: [{ playerId: "cs2-player-1", team: 3, nickname: "a" }] }, false],
    ["one team", { bestOf: 1, teams: [teams[0]] }, false],
    ["a team without a name", { bestOf: 1, teams: [{ name: " " }, teams[1]] }, false],
    ["zero maps", { bestOf: 0, teams }, false],
    ["invalid rules", { bestOf: 1, teams, rules: { maxRounds: 1 } }, false],
  ] as const)("registration: %s", ([, value, fits]) => Effect.sync(() => assert.strictEqual(Result.isSuccess(registers(value)), fits)))

  it.effect("accepts only facts of types that feeds may send", () =>
    Effect.sync(() => {
      assert.isTrue(Result.isSuccess(decodeFact(fact)))
      for (const type of ["MatchCreated", "SourceChanged", "HistoryLost", "Party"])
        assert.isTrue(Result.isFailure(decodeFact({ ...fact, type })))
      assert.isTrue(Result.isFailure(decodeFact({ ...fact, id: "no spaces" })))
      assert.isTrue(Result.isFailure(decodeFacts(Array.from({ length: MAX_FEED_EVENTS + 1 }, () => fact))))
    }),
  )

  it.effect("returns errors in the common envelope", () =>
    Effect.sync(() =>
      assert.deepInclude(PayloadTooLarge.limit(5), {
        success: false,
        error: { code: "PAYLOAD_TOO_LARGE", message: "the request body exceeds the limit of 5 bytes" },
      }),
    ),
  )
})
