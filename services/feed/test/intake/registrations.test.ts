/** Registrations over HTTP: unknown fields, repetitions, the token of the match, and repeated ends. */
import { assert, layer } from "@effect/vitest"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { FeedTokens } from "@matchpoint/store/keys/FeedTokens"
import { Effect } from "effect"
import { fact, failureIn, receiptIn, register, registration } from "./intakeRequests.ts"
import { factsOf, feedToken, intakeServer, post } from "./intakeServer.ts"

const tennis = {
  tour: "atp",
  tournament: { name: "Basel" },
  sides: [{ players: [{ name: "A" }] }, { players: [{ name: "B" }] }],
}
const cod = {
  tournament: { name: "Major" },
  teams: ["a", "b"].map((team) => ({ name: team, players: [1, 2, 3, 4].map((n) => ({ ign: `${team}${n}` })) })),
}
const apex = {
  name: "Lobby",
  tournament: { name: "Split" },
  teams: ["a", "b"].map((name) => ({ name, players: [{ name: `${name}1` }] })),
}

const games = [
  ["/matches", registration],
  ["/cs2/matches", registration],
  ["/tennis/matches", tennis],
  ["/cod/matches", cod],
  ["/apex/matches", apex],
] as const

const keyed = (key: string) => ({ [FEED_TOKEN_HEADER]: feedToken, "idempotency-key": key })

interface Registered {
  readonly matchId: string
  readonly feedToken: string
}
const registeredIn = ({ body, status }: { readonly status: number; readonly body: unknown }): Registered => {
  assert.strictEqual(status, 200, JSON.stringify(body))
  return (body as { readonly data: Registered }).data
}

layer(intakeServer(), { excludeTestServices: true, timeout: "60 seconds" })("registrations", (it) => {
  it.effect.each(games)("%s: unknown fields are rejected with their names", ([path, content]) =>
    Effect.gen(function* () {
      const { details } = yield* failureIn(yield* post(path, { ...content, veto: [], startAt: "soon" }), 400, "VALIDATION_ERROR")
      assert.include(JSON.stringify(details), "veto")
      assert.include(JSON.stringify(details), "startAt")
    }),
  )

  it.effect.each(games)("%s: repeated with a key or an external id, it is one match", ([path, content]) =>
    Effect.gen(function* () {
      const named = { ...content, externalId: `cup-${path}` }
      const all = yield* Effect.forEach([1, 2, 3], () => post(path, named, keyed(`key-${path}`)), { concurrency: "unbounded" })
      const first = registeredIn(all[0] ?? assert.fail("no answer"))
      for (const answer of all) assert.deepStrictEqual(registeredIn(answer), registeredIn(all[0] ?? answer))
      assert.deepStrictEqual(registeredIn(yield* post(path, named)), registeredIn(all[1] ?? assert.fail("no answer")))
      assert.deepStrictEqual(registeredIn(yield* post(path, named, keyed(`other-key-${path}`))).matchId, first.matchId)
      const other = { ...named, externalId: `cup-2-${path}` }
      const { message } = yield* failureIn(yield* post(path, other, keyed(`key-${path}`)), 409, "CONFLICT")
      assert.include(message, first.matchId)
      assert.notStrictEqual(registeredIn(yield* post(path, other)).matchId, first.matchId)
      assert.notStrictEqual(registeredIn(yield* post(path, content)).matchId, registeredIn(yield* post(path, content)).matchId)
    }),
  )

  it.effect("a repetition begins the match once, and its token sends facts of this match only", () =>
    Effect.gen(function* () {
      const content = { ...registration, externalId: "token" }
      const { feedToken: token, logUrl, matchId } = yield* register(content)
      assert.strictEqual((yield* register(content)).feedToken, token)
      assert.lengthOf(yield* factsOf(matchId), 1)
      assert.notInclude(logUrl, feedToken)
      const other = yield* register(registration)
      assert.strictEqual((yield* post(`/matches/${matchId}/log?token=${token}`, "", {})).status, 200)
      yield* failureIn(yield* post(`/matches/${other.matchId}/log?token=${token}`, "", {}), 403, "FEED_TOKEN_SCOPE")
      yield* failureIn(yield* post("/matches", registration, { [FEED_TOKEN_HEADER]: token }), 403, "FEED_TOKEN_SCOPE")
      const tokens = yield* FeedTokens
      const { rows } = yield* tokens.list({ limit: 100, offset: 0 })
      const [own, ...more] = rows.filter((row) => row.matchId === matchId)
      assert.lengthOf(more, 0)
      yield* tokens.revoke(own?.tokenId ?? assert.fail("no token"))
      const { message } = yield* failureIn(yield* post("/matches", content), 409, "CONFLICT")
      assert.include(message, `feed-tokens create --match ${matchId}`)
    }),
  )

  it.effect("rejects unknown fields of other bodies too", () =>
    Effect.gen(function* () {
      const { matchId } = yield* register()
      const wrong: ReadonlyArray<readonly [string, unknown]> = [
        [`/matches/${matchId}/end`, { reason: "forfeit", winner: 1 }],
        [`/matches/${matchId}/aliases`, [{ team: 1, name: "N", alias: "n" }]],
        [`/matches/${matchId}/events`, [{ ...fact("1", "PlayerLeft", { playerId: "cs2-player-1" }), map: 1 }]],
        [`/matches/${matchId}/events`, [fact("2", "MapStarted", { mapNumber: 1, mapName: "de_nuke", ctTeamId: "cs2-team-1", score: 1 })]],
      ]
      for (const [path, content] of wrong) {
        const { details } = yield* failureIn(yield* post(path, content), 400, "VALIDATION_ERROR")
        assert.match(JSON.stringify(details), /excess property.*(winner|alias|map|score)/)
      }
      const game = registeredIn(yield* post("/tennis/matches", tennis))
      const answer = yield* post(`/tennis/matches/${game.matchId}/events`, [fact("1", "PointWon", { winner: 0, extra: 1 })])
      yield* failureIn(answer, 400, "VALIDATION_ERROR")
    }),
  )

  it.effect("ends a match once: the same end again is 200, another one is 409", () =>
    Effect.gen(function* () {
      const teams = [
        { id: "cs2-team-11", name: "North" },
        { id: "cs2-team-12", name: "South" },
      ]
      const { matchId } = yield* register({ ...registration, teams })
      const end = (content: object) => post(`/matches/${matchId}/end`, content)
      const forfeit = { reason: "forfeit", winnerTeamId: "cs2-team-11" }
      assert.deepInclude(yield* receiptIn(yield* end(forfeit)), { accepted: 1, ignored: 0 })
      assert.deepInclude(yield* receiptIn(yield* end(forfeit)), { accepted: 0, ignored: 1, problemCount: 0 })
      for (const other of [{ ...forfeit, winnerTeamId: "cs2-team-12" }, { ...forfeit, reason: "completed" }, { reason: "forfeit" }]) {
        const { message } = yield* failureIn(yield* end(other), 409, "MATCH_OVER")
        assert.include(message, "forfeit")
      }
      assert.lengthOf(yield* factsOf(matchId), 2)
    }),
  )
})
