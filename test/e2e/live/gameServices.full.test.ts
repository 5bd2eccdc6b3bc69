/** Tests matches of every game with other services: facts sent and followed over RPC, and followed by the client library. */
import { assert, it } from "@effect/vitest"
import type { EventLog } from "@matchpoint/bus/EventLog"
import { Matchpoint } from "@matchpoint/client/effect"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { LiveRpcs } from "@matchpoint/contracts/rpc/LiveRpcs"
import { RpcConfig } from "@matchpoint/service-gateway/rpc/RpcConfig"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { eventually } from "@matchpoint/testing/realTime"
import { Effect, Fiber, Layer, Redacted, Stream } from "effect"
import { RpcClient } from "effect/rpc"
import { generousMetering } from "../../fixtures/metering/metering.ts"
import { feedEvents, reportedGames } from "../../fixtures/reportedGames.ts"
import { FEED_TOKEN, rpcConnection, type Transport } from "../../fixtures/rpcStack.ts"
import { announce, KEY, Stack, stack } from "../../fixtures/stack.ts"
import { testLogs } from "../../fixtures/testLogs.ts"

const TakesFacts = Layer.effect(
  RpcConfig,
  Effect.map(RpcConfig, (defaults) => ({
    ...defaults,
    isFeedToken: (token: Redacted.Redacted<string>) => Effect.succeed(Redacted.value(token) === FEED_TOKEN),
  })),
)
const server = (log: Layer.Layer<EventLog>) => stack(log, embeddedMemory, generousMetering).pipe(Layer.provide(TakesFacts))

const rpc = Effect.fnUntraced(function* (transport: Transport) {
  const { url } = yield* Stack
  const context = yield* rpcConnection(new URL(url).host, transport, { "x-api-key": KEY, [FEED_TOKEN_HEADER]: FEED_TOKEN })
  return yield* Effect.provideContext(RpcClient.make(LiveRpcs), context)
})

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

for (const { isMissing, layer, name: logName } of testLogs) {
  for (const { documentOf, eventsOf, liveGame, matchId, name } of reportedGames) {
    const game = liveGame.rules.game
    for (const transport of ["websocket", "http"] as const) {
      it.live.skipIf(isMissing)(
        `a match of ${name} is reported and followed by other services over ${transport}: ${logName}`,
        () =>
          Effect.gen(function* () {
            const client = yield* rpc(transport)
            const id = matchId(7)
            const events = eventsOf(id)
            const [created, ...facts] = events
            if (created === undefined) return assert.fail("no match")
            const wrong = yield* Effect.flip(client.AppendEvent({ ...created, payload: {} }))
            assert.strictEqual(wrong._tag, "FactRefused")
            const own = { ...created, type: "HistoryLost", payload: { epoch: 2 } }
            assert.strictEqual((yield* Effect.flip(client.AppendEvent(own)))._tag, "FactRefused")
            assert.isFalse((yield* client.AppendEvent(created)).duplicate)
            assert.isTrue((yield* client.AppendEvent(created)).duplicate)
            for (const fact of facts.slice(0, 9)) yield* client.AppendEvent(fact)
            const state = Effect.option(client.GetState({ matchId: id }))
            yield* eventually(Effect.map(state, (found) => found._tag === "Some" && found.value.cursor.seq === 10))
            const [listed, ...others] = yield* client.ListLive({ game })
            assert.lengthOf(others, 0)
            assert.deepInclude(listed?.match, { [name === "cod" ? "matchId" : "id"]: id, status: "live", silence: null })

            const whole = yield* Effect.forkChild(Stream.runCollect(client.Follow({ matchId: id, from: { epoch: 1, seq: 3 } })))
            const changes = yield* Effect.forkChild(Stream.runCollect(client.FollowDeltas({ matchId: id })))
            for (const fact of facts.slice(9)) yield* client.AppendEvent(fact)
            const frames = yield* Fiber.join(whole)
            assert.deepStrictEqual(
              frames.map(({ seq }) => seq),
              range(4, events.length),
            )
            assert.deepStrictEqual(json(frames.at(-1)?.data), json(documentOf(id)))
            assert.strictEqual((yield* Fiber.join(changes)).at(-1)?.seq, events.length)
          }).pipe(Effect.scoped, Effect.provide(server(layer))),
        60_000,
      )
    }

    it.live.skipIf(isMissing)(
      `a match of ${name} is followed by the client library: ${logName}`,
      () =>
        Effect.gen(function* () {
          const { url } = yield* Stack
          const id = matchId(8)
          const events = eventsOf(id)
          yield* announce(id)
          yield* feedEvents(events.slice(0, 20))
          const reporter = yield* rpc("websocket")
          const state = Effect.option(reporter.GetState({ matchId: id }))
          yield* eventually(Effect.map(state, (found) => found._tag === "Some" && found.value.cursor.seq === 20))
          const follower = Effect.gen(function* () {
            // The clients of the games differ in the types of their documents only.
            const client = (yield* Matchpoint).game(name as "tennis")
            const compact = yield* Effect.forkChild(Stream.runCollect(client.match(id)))
            const sse = yield* Effect.forkChild(Stream.runCollect(client.match(id, { shape: "v1", transport: "sse" })))
            yield* feedEvents(events.slice(20))
            const { winner } = documentOf(id)
            assert.isNotNull(winner)
            const last: object | undefined = (yield* Fiber.join(compact)).at(-1)?.match
            assert.deepInclude(last, { status: "completed", winner })
            assert.deepStrictEqual(json((yield* Fiber.join(sse)).at(-1)?.match), json(documentOf(id)))
          })
          yield* follower.pipe(Effect.provide(Matchpoint.layer({ baseUrl: new URL(url).origin, apiKey: Redacted.make(KEY) })))
        }).pipe(Effect.scoped, Effect.provide(server(layer))),
      60_000,
    )
  }
}
