/** Tests the limits of RPC: no work before the key is checked, and bounded work per request. */
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { WebSocket } from "ws"
import { feedTokenChecks, keyOf, RpcHost, rpcStack } from "../../fixtures/rpcStack.ts"

const key = { "x-api-key": keyOf("pro") }

const call = (id: number, tag = "ListLive", payload: unknown = null) =>
  JSON.stringify({ _tag: "Request", id: String(id), tag, payload, headers: [] })

const calls = (count: number) => Array.from({ length: count }, (_, index) => call(index)).join("\n")

const post = (headers: Record<string, string>, body: string) =>
  Effect.flatMap(RpcHost, (host) =>
    Effect.promise(async () => {
      const response = await fetch(`http://${host}/rpc`, { method: "POST", headers, body: `${body}\n` })
      return { status: response.status, text: await response.text() }
    }),
  )

/** Returns the status line of the response to a request whose announced body is never sent. */
const withoutBody = (headers: ReadonlyArray<string>) =>
  Effect.flatMap(RpcHost, (host) =>
    Effect.callback<string>((resume) => {
      const [name, port] = host.split(":")
      const socket = connect(Number(port), name, () => {
        socket.write(["POST /rpc HTTP/1.1", `host: ${host}`, "content-length: 900000", ...headers, "", ""].join("\r\n"))
      })
      socket.on("data", (bytes) => {
        resume(Effect.succeed(bytes.toString("latin1").split("\r\n", 1)[0] ?? ""))
        socket.destroy()
      })
      return Effect.sync(() => socket.destroy())
    }),
  )

it.layer(rpcStack(), { excludeTestServices: true })("RPC limits", (it) => {
  it.effect("answers a caller without a valid key before reading the body", () =>
    Effect.gen(function* () {
      assert.match(yield* withoutBody([]), /^HTTP\/1.1 401 /)
      assert.match(yield* withoutBody(["x-api-key: nobody"]), /^HTTP\/1.1 401 /)
      const { status, text } = yield* post({}, calls(1))
      assert.deepStrictEqual([status, JSON.parse(text).error.code], [401, "INVALID_API_KEY"])
    }),
  )

  it.effect("accepts a body of 64 calls and rejects one of 65 as a whole", () =>
    Effect.gen(function* () {
      const most = yield* post(key, calls(64))
      assert.strictEqual(most.status, 200)
      assert.lengthOf(most.text.trim().split("\n"), 64)
      const more = yield* post(key, calls(65))
      assert.strictEqual(more.status, 400)
      assert.include(more.text, "64 calls")
      assert.strictEqual((yield* post(key, "\n".repeat(10) + calls(2))).status, 200)
      // Empty lines count as calls, because reading them costs time, too.
      assert.strictEqual((yield* post(key, "\n".repeat(100) + calls(2))).status, 400)
    }),
  )

  it.effect("rejects calls that nest deeply or are too large, with a reason", () =>
    Effect.gen(function* () {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      assert.strictEqual((yield* post(key, deep)).status, 400)
      assert.strictEqual((yield* post(key, call(1, "GetState", { matchId: "x".repeat(2_000_000) }))).status, 413)
    }),
  )

  it.effect("answers all calls of a body with the first refusal", () =>
    Effect.gen(function* () {
      const fact = { id: "a", matchId: "cs2-match-1", source: "main", observedAt: 1, receivedAt: 1, type: "RoundStarted", payload: {} }
      const guesses = Array.from({ length: 64 }, (_, index) => call(index, "AppendEvent", fact)).join("\n")
      const before = feedTokenChecks.count
      const { text } = yield* post({ ...key, "x-feed-token": "wrong" }, guesses)
      assert.lengthOf(text.match(/FeedTokenRefused/g) ?? [], 64)
      assert.strictEqual(feedTokenChecks.count - before, 1)
    }),
  )

  it.effect("checks the key of a WebSocket before answering the handshake", () =>
    Effect.gen(function* () {
      const host = yield* RpcHost
      const refused = yield* Effect.callback<string>((resume) => {
        const opening = new WebSocket(`ws://${host}/rpc/ws`, { headers: { "x-api-key": "not-looked-up-before" } })
        opening.on("open", () => resume(Effect.succeed("opened")))
        opening.on("error", ({ message }) => resume(Effect.succeed(message)))
      })
      assert.include(refused, "401")
    }),
  )

  it.effect("rejects a WebSocket message of 65 calls and keeps the socket open", () =>
    Effect.gen(function* () {
      const host = yield* RpcHost
      const socket = yield* Effect.acquireRelease(
        Effect.callback<WebSocket>((resume) => {
          const opening = new WebSocket(`ws://${host}/rpc/ws`, { headers: key })
          opening.on("open", () => resume(Effect.succeed(opening)))
        }),
        (opened) => Effect.sync(() => opened.terminate()),
      )
      const answerTo = (text: string) =>
        Effect.callback<string>((resume) => {
          socket.once("message", (bytes) => resume(Effect.succeed(String(bytes))))
          socket.send(`${text}\n`)
        })
      assert.include(yield* answerTo(calls(65)), '"_tag":"Defect"')
      assert.include(yield* answerTo(call(1)), '"_tag":"Exit"')
    }).pipe(Effect.scoped),
  )
})
