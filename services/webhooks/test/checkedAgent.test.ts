import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@matchpoint/testing/realTime"
import { makeAddressPolicy } from "@matchpoint/webhooks/addressPolicy"
import { makeCheckedLookup } from "@matchpoint/webhooks/checkedLookup"
import { HostResolver } from "@matchpoint/webhooks/HostResolver"
import { Effect } from "effect"
import type { Agent } from "undici"
import { makeCheckedAgent } from "../src/checkedAgent.ts"
import { WebhookSenderConfig } from "../src/WebhookSenderConfig.ts"
import { closed, fixedResolver, rawServer, testSettings, textServer } from "./testServers.ts"

/** Sends a request. Resolves with the status or the error. */
const request = (agent: Agent, origin: string) =>
  Effect.promise(() =>
    agent.request({ origin, path: "/", method: "POST" }).then(({ statusCode, body }) => body.dump().then(() => statusCode), String),
  )

const originCount = (agent: Agent) => Object.keys(agent.stats).length

const makeAgent = Effect.gen(function* () {
  const policy = yield* Effect.fromResult(makeAddressPolicy(yield* WebhookSenderConfig))
  return yield* makeCheckedAgent(policy, yield* makeCheckedLookup(policy, testSettings.lookupTimeoutMs))
}).pipe(
  Effect.provideService(HostResolver, fixedResolver({ "bad.test": [["10.0.0.1"]] })),
  Effect.provideService(WebhookSenderConfig, { ...testSettings, idleTimeoutMs: 20 }),
)

describe("checkedAgent", () => {
  it.live("drops an origin after its last connection", () =>
    Effect.gen(function* () {
      const agent = yield* makeAgent
      const server = yield* textServer("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
      const resets = yield* rawServer((socket) => socket.resetAndDestroy())
      assert.strictEqual(yield* request(agent, `http://127.0.0.1:${server.port}`), 200)
      assert.strictEqual(originCount(agent), 1)
      yield* request(agent, `http://127.0.0.1:${resets.port}`)
      for (let index = 0; index < 10; index++) {
        // Blocked names and addresses, and a refused connection. Node does not resolve the address.
        assert.include(String(yield* request(agent, `http://bad.test:${8_000 + index}`)), "public")
        assert.include(String(yield* request(agent, `http://10.0.0.1:${8_000 + index}`)), "public")
        yield* request(agent, "http://127.0.0.1:9")
      }
      yield* eventually(Effect.sync(() => originCount(agent) === 0))
    }),
  )

  it.live("closes its connections when the scope closes", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"))
      yield* Effect.scoped(Effect.flatMap(makeAgent, (agent) => request(agent, `http://127.0.0.1:${server.port}`)))
      yield* closed(server.sockets[0])
    }),
  )
})
