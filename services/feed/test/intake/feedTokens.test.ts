/**
 * Feed tokens over HTTP: what each token may send, how wrong tokens are slowed down, and what is checked before a body
 * is read.
 */
import { connect } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { FEED_ROOT } from "@matchpoint/contracts/http/feed/FactsApi"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import type { FeedScope } from "@matchpoint/domain/feedTokens"
import { matchIdOf } from "@matchpoint/domain/ids"
import { FeedTokens } from "@matchpoint/store/keys/FeedTokens"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import { StoreError } from "@matchpoint/store/StoreError"
import { DateTime, Effect, Exit, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { ScopedTokens } from "../../src/intake/ScopedTokens.ts"
import { feedToken, intakeServer, post } from "./intakeServer.ts"

const [A, B] = [matchIdOf(CS2, 1), matchIdOf(CS2, 2)]
const forA = "mp_feed_for_match_a"
const forBackups = "mp_feed_for_backups"
const scopes: Readonly<Record<string, FeedScope>> = {
  [forA]: { matchId: A, source: null },
  [forBackups]: { matchId: null, source: "backup" },
}

/** A register in memory that numbers its matches from 1. */
const register = () => {
  const rows = new Map<string, RegisteredMatch>()
  return Layer.mock(Matches, {
    registerOnce: (game, match) =>
      Effect.sync(() => {
        const matchId = matchIdOf(game, rows.size + 1)
        const times = { createdAt: DateTime.makeUnsafe(0), startedAt: null, endedAt: null }
        rows.set(matchId, { matchId, status: "scheduled", ...match, ...times, result: null })
        return { _tag: "Registered" as const, matchId, tokenSalt: new Uint8Array(16) }
      }),
    find: (matchId) => Effect.succeed(Option.fromUndefinedOr(rows.get(matchId))),
  })
}

const asked: Array<string> = []
const tokens = Layer.mock(FeedTokens, {
  ensure: () => Effect.succeed(true),
  verify: (secret) =>
    Effect.sync(() => {
      asked.push(Redacted.value(secret))
      return Option.fromUndefinedOr(scopes[Redacted.value(secret)])
    }),
})

const server = (settings: Parameters<typeof intakeServer>[0] = {}) =>
  intakeServer(
    { addressOf: ({ headers }) => headers["x-from"] ?? "nowhere", ...settings },
    Layer.mergeAll(register(), Layer.mock(Checkpoints, { load: () => Effect.succeedNone }), tokens),
  )

const live = { excludeTestServices: true, timeout: "60 seconds" } as const

/** Sends a request and returns the status and code of the response. */
const sent = Effect.fnUntraced(function* (path: string, content: unknown, token: string, from = "nowhere") {
  const { body, status } = yield* post(path, content, { "x-feed-token": token, "x-from": from })
  const error = typeof body === "object" && body !== null && "error" in body ? (body.error as { code: string; message: string }) : undefined
  return { status, code: error?.code, message: error?.message ?? "" }
})

const registration = { bestOf: 1, teams: [{ name: "North" }, { name: "South" }] }
const refused = { status: 403, code: "FEED_TOKEN_SCOPE" }
const fact = (source?: string) => [{ id: "1", type: "PlayerLeft", observedAt: 0, payload: { playerId: "cs2-player-1" }, source }]

layer(server(), live)("scopes", (it) => {
  it.effect("a token for a match may send facts of that match only", () =>
    Effect.gen(function* () {
      for (const _ of [A, B]) assert.strictEqual((yield* sent("/matches", registration, feedToken)).status, 200)
      const right: ReadonlyArray<readonly [string, unknown]> = [
        [`/matches/${A}/log`, ""],
        [`/matches/${A}/log?source=backup`, ""],
        [`/matches/${A}/gsi`, { provider: { timestamp: 1 } }],
        [`/matches/${A}/events`, []],
        [`/cs2/matches/${A}/events`, []],
      ]
      for (const [path, content] of right) assert.strictEqual((yield* sent(path, content, forA)).status, 200, path)
      const wrong: ReadonlyArray<readonly [string, unknown]> = [
        [`/matches/${B}/log`, ""],
        [`/matches/${B}/gsi`, {}],
        [`/matches/${B}/events`, []],
        [`/cs2/matches/${B}/events`, []],
        [`/matches/${B}/end`, { reason: "completed" }],
        ["/matches", registration],
        ["/cs2/matches", registration],
        ["/odds", []],
      ]
      for (const [path, content] of wrong) {
        const answer = yield* sent(path, content, forA)
        assert.deepInclude(answer, refused, path)
        assert.include(answer.message, A)
      }
      // The token may be in the body of a Game State Integration post.
      const inBody = { auth: { token: forA } }
      assert.strictEqual((yield* post(`/matches/${A}/gsi`, inBody, {})).status, 200)
      assert.strictEqual((yield* post(`/matches/${B}/gsi`, inBody, {})).status, 403)
    }),
  )

  it.effect("a token for a source may send facts of that source, for any match", () =>
    Effect.gen(function* () {
      for (const match of [A, B]) {
        assert.strictEqual((yield* sent(`/matches/${match}/log?source=backup`, "", forBackups)).status, 200)
        assert.deepInclude(yield* sent(`/matches/${match}/log`, "", forBackups), refused)
        assert.deepInclude(yield* sent(`/matches/${match}/gsi?source=main`, {}, forBackups), refused)
        assert.deepInclude(yield* sent(`/matches/${match}/events`, [...fact("backup"), ...fact()], forBackups), refused)
        assert.strictEqual((yield* sent(`/matches/${match}/events`, fact("backup"), forBackups)).status, 200)
        assert.deepInclude(yield* sent(`/matches/${match}/end`, { reason: "completed" }, forBackups), refused)
      }
    }),
  )

  it.effect("a text that cannot be a token is not looked up in the store", () =>
    Effect.gen(function* () {
      asked.length = 0
      for (const wrong of ["x", "mp_live_abc", `mp_feed_${"x".repeat(200)}`]) {
        assert.strictEqual((yield* sent(`/matches/${A}/log`, "", wrong, "elsewhere")).status, 401)
      }
      assert.deepStrictEqual(asked, [])
    }),
  )
})

layer(server({ wrongTokens: 3, forgetAfterSeconds: 60 }), live)("wrong tokens", (it) => {
  it.effect("slow down their address, but not a feed that has sent a valid token from there", () =>
    Effect.gen(function* () {
      yield* sent("/matches", registration, feedToken, "organiser")
      const send = (token: string, from: string) => sent(`/matches/${A}/log`, "", token, from)
      assert.strictEqual((yield* send(forA, "hall")).status, 200)
      for (let n = 0; n < 3; n += 1) assert.strictEqual((yield* send(`wrong-${n}`, "hall")).status, 401)
      const blocked = yield* send("wrong-4", "hall")
      assert.deepInclude(blocked, { status: 429, code: "TOO_MANY_HANDSHAKES" })
      assert.match(blocked.message, /wrong feed tokens .* wait \d+ s/)
      // The right token is not checked for an address that has not sent it before.
      assert.strictEqual((yield* send(feedToken, "hall")).status, 429)
      assert.strictEqual((yield* send(forA, "hall")).status, 200)
      assert.strictEqual((yield* send(feedToken, "organiser")).status, 200)
      // Bodies are not read to find a token either.
      const inBody = { auth: { token: feedToken } }
      assert.strictEqual((yield* post(`/matches/${A}/gsi`, inBody, { "x-from": "hall" })).status, 429)
    }),
  )

  it.effect("get a response before the body has arrived", () =>
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const port = "port" in address ? address.port : assert.fail("no port")
      for (const [n, path] of ["/matches", `/matches/${A}/log`, `/matches/${A}/gsi?token=w`, `/matches/${A}/events`, "/odds"].entries()) {
        const head = yield* Effect.promise(
          () =>
            new Promise<string>((resolve, reject) => {
              const socket = connect(port, "127.0.0.1", () => {
                const headers = ["host: x", "content-length: 1000000", "x-feed-token: w", `x-from: ${n}`, "content-type: application/json"]
                socket.write(`POST ${FEED_ROOT}${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`)
              })
              socket.setTimeout(5_000, () => reject(new Error(`${path}: no answer without the body`)))
              socket.once("data", (data) => {
                socket.destroy()
                resolve(String(data).split("\r\n", 1)[0] ?? "")
              })
            }),
        )
        assert.include(head, " 401 ", path)
      }
    }),
  )
})

describe("answers of the store", () => {
  let down = false
  let questions = 0
  let known: Readonly<Record<string, FeedScope>> = scopes
  const services = ScopedTokens.layer.pipe(
    Layer.provide(
      Layer.mock(FeedTokens, {
        verify: (secret) => {
          questions += 1
          return down
            ? Effect.fail(new StoreError({ operation: "FeedTokens.verify", cause: new Error("away") }))
            : Effect.succeed(Option.fromUndefinedOr(known[Redacted.value(secret)]))
        },
      }),
    ),
  )

  it.effect("are cached for seconds: a revoked token stops working then, and an outage stops no valid one", () =>
    Effect.gen(function* () {
      const { verify } = yield* ScopedTokens
      for (let n = 0; n < 10; n += 1) assert.isTrue(Option.isSome(yield* verify(forA)))
      assert.strictEqual(questions, 1)
      down = true
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Option.isSome(yield* verify(forA)))
      assert.strictEqual((yield* Effect.flip(verify(forBackups))).error.code, "SERVICE_UNAVAILABLE")
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* Effect.flip(verify(forA))).error.code, "SERVICE_UNAVAILABLE")
      down = false
      yield* TestClock.adjust("6 seconds")
      assert.isTrue(Option.isSome(yield* verify(forA)))
      known = {}
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(Option.isSome(yield* verify(forA)))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(Option.isNone(yield* verify(forA)))
      down = true
      assert.isTrue(Exit.isFailure(yield* Effect.exit(verify(forA))))
    }).pipe(Effect.provide(services)),
  )
})
