/** The client without Effect over real sockets: Node's own WebSocket, npm `ws`, and a streamed fetch. */
import { assert, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Effect } from "effect"
import { WebSocket } from "ws"
import type { ClientOptions } from "../../src/ClientOptions.ts"
import type { LiveChange, LiveNotice } from "../../src/LiveChange.ts"
import type { FollowOptions } from "../../src/plain/changes.ts"
import { createClient } from "../../src/plain/createClient.ts"
import { LiveError } from "../../src/plain/LiveError.ts"
import { KEY, LiveTestServer } from "../LiveTestServer.ts"
import { nextOf, rejection, until } from "./until.ts"

const id = matchId(1)
const other = matchId(2)

const clientOf = (server: LiveTestServer, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: server.url, apiKey: KEY, ...options })

/** Runs with a server of its own. */
const withServer = (name: string, run: (server: LiveTestServer) => Promise<void>, shape: "v1" | "v2" = "v2") =>
  it.live(name, () => Effect.flatMap(LiveTestServer.start(shape), (server) => Effect.promise(() => run(server))))

interface Way {
  readonly name: string
  readonly client?: Partial<ClientOptions>
  readonly live: FollowOptions<"v2", "cs2">
}

const ways: ReadonlyArray<Way> = [
  { name: "Node's WebSocket", live: {} },
  { name: "npm ws", client: { webSocket: (url, headers) => new WebSocket(url, { headers }) }, live: {} },
  { name: "SSE", live: { transport: "sse" } },
]

for (const way of ways) {
  withServer(`${way.name}: resumes after every cut without loss or duplicates, with the right document each time`, async (server) => {
    server.model.make(id)
    const notices: Array<LiveNotice> = []
    const followed: Array<LiveChange> = []
    const reading = (async () => {
      const live = clientOf(server, way.client).live.match(id, { ...way.live, onNotice: (notice) => notices.push(notice) })
      for await (const change of live) {
        followed.push(change)
        if (change.seq === 40) break
      }
    })()
    await until("first change", () => followed.length > 0)
    for (let seq = 1; seq < 40; seq++) {
      if (seq % 10 === 0) server.cut()
      server.model.make(id)
      server.flush()
      if (seq % 10 === 5) await until("connected", () => server.isFollowed)
    }
    await reading
    assert.deepStrictEqual(
      followed.map(({ seq }) => seq),
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
    for (const { match, missing, seq } of followed) {
      assert.deepStrictEqual<unknown>(match, server.model.history[seq - 1]?.document, `document of ${seq}`)
      assert.isEmpty(missing)
    }
    assert.isTrue(notices.some((notice) => notice.type === "resumed" && notice.verdict === "recovered"))
    await until("closed", () => !server.isFollowed)
    assert.isTrue(server.requests.every(({ headers, path }) => headers["x-api-key"] === KEY && !path.includes(KEY)))
  })

  withServer(`${way.name}: an unknown key and an invalid match id are fatal`, async (server) => {
    const { live } = clientOf(server, { ...way.client, apiKey: "mp_wrong" })
    const refused = await rejection(nextOf(live.match(id, way.live)[Symbol.asyncIterator]()))
    assert.instanceOf(refused, LiveError)
    assert.deepInclude(refused, { _tag: "LiveError", reason: "Unauthorized", room: `match:${id}` })
    const invalid = await rejection(nextOf(live.match("tennis-match-1", way.live)[Symbol.asyncIterator]()))
    assert.deepInclude(invalid, { reason: "MatchNotFound" })
  })

  withServer(`${way.name}: honours Retry-After and connects again`, async (server) => {
    server.model.make(id)
    const refusal = { status: 503, headers: { "retry-after": "1" } }
    // A WebSocket does not report the status of its handshake: the client asks again over HTTP.
    server.refusals.push(...(way.live.transport === "sse" ? [refusal] : [refusal, refusal]))
    const notices: Array<LiveNotice> = []
    const iterator = clientOf(server, way.client)
      .live.match(id, { ...way.live, onNotice: (notice) => notices.push(notice) })
      [Symbol.asyncIterator]()
    assert.strictEqual((await nextOf(iterator)).seq, 1)
    await iterator.return?.()
    const stale = notices.find((notice) => notice.type === "stale")
    assert.isAtLeast(stale?.retryInMs ?? 0, 1_000)
  })

  withServer(`${way.name}: a used-up month is fatal`, async (server) => {
    const details = { limit: "requests_per_month", retryAfterSeconds: 1_000_000 }
    server.account = { ...server.account, remaining: 0 }
    server.refusals.push({
      status: 429,
      headers: { "retry-after": "1000000" },
      error: { code: "RATE_LIMIT_EXCEEDED", message: "used up", details },
    })
    const error = await rejection(nextOf(clientOf(server, way.client).live.match(id, way.live)[Symbol.asyncIterator]()))
    assert.deepInclude(error, { reason: "LimitExceeded", code: "RATE_LIMIT_EXCEEDED" })
    assert.isAtLeast(error instanceof LiveError ? (error.retryAfterMs ?? 0) : 0, 1_000_000_000)
  })

  withServer(`${way.name}: the signal ends a reader that waits, and closes its connection`, async (server) => {
    server.model.make(id)
    const stop = new AbortController()
    const iterator = clientOf(server, way.client)
      .live.match(id, { ...way.live, signal: stop.signal })
      [Symbol.asyncIterator]()
    await nextOf(iterator)
    const waiting = iterator.next()
    await until("followed", () => server.isFollowed)
    stop.abort()
    assert.isTrue((await waiting).done)
    await until("closed", () => !server.isFollowed)
    assert.isTrue((await iterator.next()).done)
  })

  withServer(`${way.name}: resumes all matches from an earlier run, change by change`, async (server) => {
    for (const one of [id, other]) server.model.make(one)
    const { live } = clientOf(server, way.client)
    const last = new Map<string, LiveChange>()
    let cursor: LiveChange["cursor"]
    for await (const change of live.all(way.live)) {
      last.set(change.matchId, change)
      if (change.base !== undefined) {
        cursor = change.cursor
        break
      }
      if (change.matchId !== other) continue
      server.model.make(id)
      server.flush()
    }
    assert.isDefined(cursor)
    if (cursor === undefined) return
    for (let count = 0; count < 5; count++) for (const one of [id, other]) server.model.make(one)
    const kept: Array<LiveChange> = JSON.parse(JSON.stringify([...last.values()]))
    const seqs = new Map<string, Array<number>>()
    let count = 0
    for await (const change of live.all({ ...way.live, resume: { cursor, matches: kept } })) {
      if (count === 0) assert.strictEqual(change.resumed, "recovered")
      seqs.set(change.matchId, [...(seqs.get(change.matchId) ?? []), change.seq])
      count += 1
      if (count === 10) break
    }
    assert.deepStrictEqual(seqs.get(id), [3, 4, 5, 6, 7])
    assert.deepStrictEqual(seqs.get(other), [2, 3, 4, 5, 6])
  })
}

for (const shape of ["v1", "v2"] as const) {
  withServer(
    `${shape}: frames that a slow reader missed are named, and the next change has the newest document`,
    async (server) => {
      server.model.make(id)
      const notices: Array<LiveNotice> = []
      const iterator = clientOf(server)
        .live.match<"v1" | "v2">(id, { shape, onNotice: (notice) => notices.push(notice) })
        [Symbol.asyncIterator]()
      await nextOf(iterator)
      server.model.fallBehind()
      for (let count = 0; count < 3; count++) server.model.make(id)
      server.model.drain()
      server.flush()
      const change = await nextOf(iterator)
      assert.deepInclude(change, { seq: 4, base: 1, missing: [{ from: 2, to: 4 }] })
      assert.deepStrictEqual<unknown>(change.match, server.model.newest(id)?.document)
      assert.isTrue(notices.some((notice) => notice.type === "gap" && notice.reason === "slow"))
      await iterator.return?.()
    },
    shape,
  )
}

const fatal: ReadonlyArray<readonly [code: number, reason: LiveError["reason"]]> = [
  [1009, "Refused"],
  [3501, "Refused"],
  [3502, "LimitExceeded"],
  [3503, "LimitExceeded"],
  [3504, "Unauthorized"],
  [3999, "Refused"],
]

for (const [code, reason] of fatal) {
  withServer(`close code ${code} ends with ${reason}`, async (server) => {
    server.model.make(id)
    const iterator = clientOf(server).live.match(id)[Symbol.asyncIterator]()
    await nextOf(iterator)
    server.close(code, "the reason")
    const error = await rejection(iterator.next())
    assert.instanceOf(error, LiveError)
    assert.deepInclude(error, { reason, message: `closed with ${code}: the reason` })
    assert.isTrue((await iterator.next()).done)
  })
}

withServer("close codes below 3500 lead to a reconnect", async (server) => {
  server.model.make(id)
  const iterator = clientOf(server).live.match(id)[Symbol.asyncIterator]()
  await nextOf(iterator)
  for (const code of [1001, 1011, 3008, 3012]) {
    const next = iterator.next()
    server.close(code, "the reason")
    await until("closed", () => !server.isFollowed)
    server.model.make(id)
    assert.strictEqual((await next).done, false, String(code))
  }
  await iterator.return?.()
})

withServer("falls back to server-sent events if the plan has no WebSockets, unless a WebSocket was requested", async (server) => {
  server.model.make(id)
  server.account = { ...server.account, plan: "pro", limits: { features: [] } }
  server.refusals.push({ status: 403 })
  const notices: Array<LiveNotice> = []
  const { live } = clientOf(server)
  const iterator = live.match(id, { onNotice: (notice) => notices.push(notice) })[Symbol.asyncIterator]()
  await nextOf(iterator)
  server.model.make(id)
  server.flush()
  assert.strictEqual((await nextOf(iterator)).seq, 2)
  await iterator.return?.()
  assert.deepStrictEqual(
    server.requests.map(({ path }) => path.replace(/[?].*/, "")),
    ["/api/v1/cs2/live/ws", "/api/v1/usage", "/api/v1/cs2/live/stream"],
  )
  assert.isTrue(notices.some((notice) => notice.type === "connected" && notice.transport === "sse"))
  server.refusals.push({ status: 403 })
  const error = await rejection(nextOf(live.match(id, { transport: "websocket" })[Symbol.asyncIterator]()))
  assert.deepInclude(error, { reason: "PlanRequired", code: "PLAN_REQUIRED" })
})

withServer("a runtime without a WebSocket is told which option to pass, and can follow over SSE", async (server) => {
  server.model.make(id)
  const native = globalThis.WebSocket
  Reflect.deleteProperty(globalThis, "WebSocket")
  try {
    const { live } = clientOf(server)
    const error = await rejection(nextOf(live.all()[Symbol.asyncIterator]()))
    assert.deepInclude(error, { reason: "NoWebSocket", room: "all" })
    assert.match(error instanceof Error ? error.message : "", /pass the option `webSocket`/)
    const iterator = live.match(id, { transport: "sse" })[Symbol.asyncIterator]()
    assert.strictEqual((await nextOf(iterator)).seq, 1)
    await iterator.return?.()
  } finally {
    globalThis.WebSocket = native
  }
})

withServer("fails as unreachable after `maxAttempts`", async (server) => {
  server.refusals.push(...Array.from({ length: 8 }, () => ({ status: 503 })))
  const { live } = clientOf(server)
  const error = await rejection(nextOf(live.match(id, { maxAttempts: 2, transport: "sse" })[Symbol.asyncIterator]()))
  assert.deepInclude(error, { reason: "Unreachable" })
})
