/** Authentication and limits of RPC connections, and the program that `docs/customers/rpc.md` shows. */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { inspect, promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { Effect, Fiber, Stream } from "effect"
import { WebSocket } from "ws"
import { followSocket } from "../../fixtures/clients/followers.ts"
import { eventually, followersAre, isAt, pro, range, tagOf } from "../../fixtures/rpcFollowers.ts"
import { keyOf, liveRecords, publish, RpcHost, rpcClient, rpcStack } from "../../fixtures/rpcStack.ts"

describe("authentication", () => {
  it.live("fails every HTTP call without a valid key with status 401", () =>
    Effect.gen(function* () {
      const refused = (error: unknown) => {
        assert.deepInclude(error, { _tag: "RpcClientError" })
        assert.include(inspect(error, { depth: 6 }), "401")
      }
      for (const headers of [{}, { "x-api-key": "nobody" }, { authorization: "Bearer nobody" }]) {
        const client = yield* rpcClient("http", headers)
        const id = matchId(1)
        refused(yield* Effect.flip(client.ListLive({ game: CS2 })))
        refused(yield* Effect.flip(client.GetState({ matchId: id })))
        refused(yield* Effect.flip(Stream.runDrain(client.Follow({ matchId: id }))))
        refused(yield* Effect.flip(Stream.runDrain(client.FollowDeltas({ matchId: id }))))
      }
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("opens no WebSocket without a valid key, and checks a call with another key by that key", () =>
    Effect.gen(function* () {
      const url = `ws://${yield* RpcHost}/rpc/ws`
      assert.strictEqual((yield* Effect.flip(followSocket(url))).reason, "HTTP 401")
      const unauthorized = { "x-api-key": "nobody" }
      for (let attempt = 1; attempt <= 2; attempt++)
        assert.strictEqual((yield* Effect.flip(followSocket(url, unauthorized))).reason, "HTTP 401")
      const plain = yield* Effect.promise(() => fetch(url.replace("ws://", "http://"), { headers: pro }))
      assert.strictEqual(plain.status, 426)
      const client = yield* rpcClient("websocket", pro)
      assert.strictEqual(tagOf(yield* Effect.exit(client.ListLive(null, { headers: { "x-api-key": "nobody" } }))), "CallerUnknown")
      assert.deepStrictEqual(yield* client.ListLive({ game: CS2 }), [])
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("fails a call that violates the contract without effect on other calls", () =>
    Effect.gen(function* () {
      const url = `http://${yield* RpcHost}/rpc`
      const post = (body: string) =>
        Effect.promise(async () => {
          const answer = await fetch(url, { method: "POST", headers: { ...pro, "content-type": "application/x-ndjson" }, body })
          return { status: answer.status, text: await answer.text() }
        })
      const call = (tag: string, payload: unknown) => `${JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers: [] })}\n`
      assert.include((yield* post("nonsense\n")).text, '"_tag":"Defect"')
      assert.include((yield* post(call("GetState", { matchId: 5 }))).text, '"_tag":"Die"')
      assert.include((yield* post(call("DropDatabase", {}))).text, "Unknown request tag")
      assert.isAtLeast((yield* post(call("GetState", { matchId: "x".repeat(2_000_000) }))).status, 400)
      const client = yield* rpcClient("http", pro)
      assert.deepStrictEqual(yield* client.ListLive({ game: CS2 }), [])
    }).pipe(Effect.provide(rpcStack())),
  )
})

describe("a connection with more unsent data than the server buffers", () => {
  it.live("is closed, because an open connection must not miss an answer", () =>
    Effect.gen(function* () {
      // Many matches make a response large: the kernel's buffers hold several megabytes.
      for (const id of range(7_030, 7_049).map(matchId)) {
        yield* publish(id, liveRecords(19, id).slice(0, 3))
        yield* isAt(id, 3)
      }
      const host = yield* RpcHost
      const socket = yield* Effect.acquireRelease(
        Effect.callback<WebSocket>((resume) => {
          const opening = new WebSocket(`ws://${host}/rpc/ws`, { headers: pro })
          opening.on("open", () => resume(Effect.succeed(opening)))
        }),
        (opening) => Effect.sync(() => opening.terminate()),
      )
      let closed: number | undefined
      socket.on("close", (code) => {
        closed = code
      })
      socket.pause()
      for (const request of range(1, 1_000)) {
        socket.send(`${JSON.stringify({ _tag: "Request", id: String(request), tag: "ListLive", payload: null, headers: [] })}\n`)
      }
      yield* eventually(
        Effect.sync(() => {
          // A client that does not read notices the end only when it writes.
          if (socket.readyState === WebSocket.OPEN) socket.ping()
          else socket.resume()
          return closed !== undefined
        }),
      )
      assert.strictEqual(closed, 1006)
      yield* followersAre(0)
    }).pipe(Effect.provide(rpcStack())),
  )
})

describe("docs/customers/rpc.md", () => {
  it.live("shows a program that runs", () =>
    Effect.gen(function* () {
      const id = matchId(7_020)
      const records = liveRecords(20, id)
      yield* publish(id, records.slice(0, 30))
      yield* isAt(id, 30)
      const page = yield* Effect.promise(() => readFile(new URL("../../../docs/customers/rpc.md", import.meta.url), "utf8"))
      const program = /```ts\n(.+?)```/s
        .exec(page)?.[1]
        ?.replace("localhost:8080", yield* RpcHost)
        .replace("mp_dev_pro", keyOf("pro"))
      const running = yield* Effect.forkChild(run(program ?? ""))
      yield* followersAre(1)
      yield* publish(id, records.slice(30, 50))
      assert.deepStrictEqual(
        (yield* Fiber.join(running)).match(/frame \d+/g),
        range(30, 34).map((seq) => `frame ${seq}`),
      )
    }).pipe(Effect.provide(rpcStack())),
  )
})

/** Runs a program and returns its output. The working directory lets it resolve its imports. */
const run = (program: string) =>
  Effect.promise(async () => {
    const directory = new URL("../..", import.meta.url)
    return (await promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", program], { cwd: directory })).stdout
  })
