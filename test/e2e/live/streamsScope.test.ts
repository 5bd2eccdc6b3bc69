/**
 * The end of the live channels without an end of the HTTP server before it, as when a gateway fails while it starts, or
 * starts its channels again.
 */
import { assert, describe, it } from "@effect/vitest"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { WebSocket } from "ws"
import { apiKey } from "../../load/lib/apiKey.ts"
import { gatewayOn, MemoryLog } from "../../load/lib/liveGateway.ts"

const headers = { "x-api-key": apiKey }

/** Waits for the `ready` message of a WebSocket. `ended` has everything until its end, with the close code last. */
const openSocket = (url: string) =>
  Effect.promise(async () => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/v1/live/ws`, { headers })
    const texts: Array<string> = []
    const ended = new Promise<string>((resolve) => socket.once("close", (code) => resolve([...texts, String(code)].join("\n"))))
    await new Promise<void>((resolve, reject) => {
      socket.on("message", (data) => {
        texts.push(String(data))
        resolve()
      })
      socket.once("error", reject)
    })
    return { ended }
  })

/** As `openSocket`, for server-sent events. */
const openEvents = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/api/v1/live/stream`, { headers })
    const reader = response.body?.getReader() ?? assert.fail("no body")
    const decoder = new TextDecoder()
    const first = await reader.read()
    const rest = async (): Promise<string> => {
      let text = decoder.decode(first.value, { stream: true })
      for (let next = await reader.read(); !next.done; next = await reader.read()) text += decoder.decode(next.value, { stream: true })
      return text
    }
    return { ended: rest() }
  })

describe("live channels whose scope closes", () => {
  it.live("ask their clients to reconnect before they end the connections", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const services = yield* Layer.buildWithScope(gatewayOn(0).pipe(Layer.provide(MemoryLog)), scope)
      const { address } = Context.get(services, UwsServer)
      const url = `http://127.0.0.1:${address.port}`
      const opened = yield* Effect.all([openSocket(url), openEvents(url)])
      yield* Scope.close(scope, Exit.void)
      const [messages = "", events = ""] = yield* Effect.promise(() => Promise.all(opened.map(({ ended }) => ended)))
      assert.match(messages, /"type":"reconnect".*\n1001$/s)
      assert.match(events, /event: reconnect\n/)
      assert.match(events, /SHUTTING_DOWN/)
    }),
  )
})
