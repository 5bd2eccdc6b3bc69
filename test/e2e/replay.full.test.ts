/** Tests replays of stored matches over real sockets with independent clients: npm `ws` and `eventsource`. */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { type Cursor, parseCursor } from "@matchpoint/contracts/stream/cursors"
import type { ReplayEnded, StreamError } from "@matchpoint/contracts/stream/messages"
import { replayRoom } from "@matchpoint/contracts/stream/rooms"
import { compactOf } from "@matchpoint/cs2/contract/compactOf"
import type { LiveUpdate } from "@matchpoint/cs2/contract/frames"
import { decodeServerMessage, type ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Effect, Layer, Redacted, Result, Schedule, Stream } from "effect"
import { EventSource } from "eventsource"
import { WebSocket } from "ws"
import { followSocket } from "../fixtures/clients/followers.ts"
import { LiveReader } from "../fixtures/clients/LiveReader.ts"
import { generousTerms } from "../fixtures/metering/metering.ts"
import { simulatedEvents } from "../fixtures/simulated.ts"
import { announce, feed, KEY, memoryStack, Stack } from "../fixtures/stack.ts"

const long = matchId(8_001)
const short = matchId(8_002)
const SHORT_FRAMES = 420
const FREE_KEY = "mp_test_free"

interface Stored {
  readonly seq: number
  readonly update: Uint8Array
}

const storedFrames = Effect.fnUntraced(function* (id: typeof long) {
  const log = yield* EventLog
  const records = yield* Stream.runCollect(log.read(LIVE, liveSubject(id), { _tag: "First" }))
  const reader = new LiveReader()
  return records.flatMap((record): ReadonlyArray<Stored> => {
    const read = reader.take(record)
    return read === undefined ? [] : [{ seq: read.views.head.seq, update: read.update }]
  })
})

const documentOf = ({ update }: Stored): LiveUpdate["data"] => {
  const message: LiveUpdate = JSON.parse(new TextDecoder().decode(update))
  return message.data
}

const Played = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* KeyRegister
    yield* keys.put({ secret: Redacted.make(FREE_KEY), terms: generousTerms("free"), label: "test" })
    yield* announce(long)
    yield* announce(short)
    yield* feed(simulatedEvents(81, long))
    yield* feed(simulatedEvents(82, short).slice(0, SHORT_FRAMES))
    yield* Effect.all([storedFrames(long), storedFrames(short)]).pipe(
      Effect.filterOrFail(([a, b]) => a.length > 0 && documentOf(a[a.length - 1] ?? raise()).status === "completed" && b.length >= 300),
      Effect.retry(Schedule.spaced("50 millis")),
      Effect.timeout("20 seconds"),
    )
    // Waits for the last frames of the short match.
    yield* Effect.sleep("300 millis")
  }),
)

const raise = (): never => {
  throw new Error("there is no frame")
}

const isEnd = (message: ServerMessage): message is ReplayEnded => message.type === "replay_ended"
const isError = (message: ServerMessage): message is StreamError => message.type === "error"
const isSubscribed = (message: ServerMessage): message is ServerMessage & { type: "subscribed" } => message.type === "subscribed"

const socket = Effect.gen(function* () {
  const { wsUrl } = yield* Stack
  return yield* followSocket(`${wsUrl}/cs2/live/ws`, { "x-api-key": KEY })
})

const get = (path: string, headers: Record<string, string> = { "x-api-key": KEY }) =>
  Effect.gen(function* () {
    const { url } = yield* Stack
    return yield* Effect.promise((signal) => fetch(`${url}/cs2/live${path}`, { headers, signal }))
  })

const refusal = (path: string, headers?: Record<string, string>) =>
  Effect.gen(function* () {
    const response = yield* get(path, headers)
    const body: { readonly error: { readonly code: string; readonly message: string } } = yield* Effect.promise(() => response.json())
    return [response.status, body.error.code, body.error.message] as const
  })

/** State of a shape v2 client after messages from one or several connections. */
class Document {
  readonly seqs: Array<number> = []
  state: JsonObject = {}
  hashes = 0
  cursor: Cursor | undefined

  receive(message: ServerMessage): void {
    if (message.type !== "cs2.live.delta" && message.type !== "cs2.live.snapshot") return
    if (message.seq <= (this.cursor?.seq ?? 0)) return
    this.state = message.type === "cs2.live.delta" ? applyPatch(this.state, message.patch) : { ...message.data }
    if ("hash" in message && message.hash !== undefined) {
      assert.strictEqual(stateHash(this.state), message.hash, `the state at ${message.seq}`)
      this.hashes += 1
    }
    this.seqs.push(message.seq)
    this.cursor = { epoch: message.epoch, seq: message.seq, position: message.position }
  }
}

it.layer(Layer.provideMerge(Played, memoryStack), { timeout: 90_000, excludeTestServices: true })("replay", (it) => {
  it.effect("WebSocket: a client that resumes after drops and duplicates has every frame once and the right document", () =>
    Effect.gen(function* () {
      const stored = yield* storedFrames(long)
      const room = replayRoom(long)
      const document = new Document()
      const codes: Array<number> = []
      for (let ended = false; !ended; ) {
        const follower = yield* socket
        follower.send({
          action: "subscribe",
          rooms: [room],
          shape: "v2",
          replay: { speed: 0, faults: ["drop", "duplicate"], seed: 5 },
          ...(document.cursor === undefined ? {} : { resume: { [room]: document.cursor } }),
        })
        const end = yield* Effect.raceFirst(follower.until(isEnd), follower.closed)
        ended = "type" in end
        if ("code" in end) codes.push(end.code)
        const { cursor } = document
        for (const message of follower.messages) document.receive(message)
        const resumed = follower.messages.find((message) => message.type === "resumed")
        assert.strictEqual(resumed?.verdict, cursor === undefined ? undefined : "recovered")
      }
      assert.deepStrictEqual(
        document.seqs,
        stored.map(({ seq }) => seq),
      )
      assert.isAbove(codes.length, 4)
      assert.isTrue(codes.every((code) => code === 3010))
      assert.isAbove(document.hashes, 20)
      assert.strictEqual(stateHash(document.state), stateHash({ ...compactOf(documentOf(stored.at(-1) ?? raise())) }))
    }),
  )

  it.effect("WebSocket: waits for a client that stops reading, which then receives every frame", () =>
    Effect.gen(function* () {
      const stored = yield* storedFrames(long)
      const { wsUrl } = yield* Stack
      const bytes = stored.reduce((sum, { update }) => sum + update.length, 0)
      assert.isAbove(bytes, 8 * 1024 * 1024)
      const seqs = yield* Effect.callback<ReadonlyArray<number>>((resume) => {
        const client = new WebSocket(`${wsUrl}/cs2/live/ws`, { headers: { "x-api-key": KEY } })
        const received: Array<number> = []
        client.on("open", () => {
          client.send(JSON.stringify({ action: "subscribe", rooms: [replayRoom(long)], replay: { speed: 0 } }))
          client.pause()
          setTimeout(() => client.resume(), 500)
        })
        client.on("message", (data) => {
          const message = decodeServerMessage(String(data))
          if (Result.isFailure(message)) throw new Error(String(message.failure))
          if (message.success.type === "cs2.live.update") received.push(message.success.seq)
          if (message.success.type === "replay_ended") resume(Effect.succeed(received))
        })
        return Effect.sync(() => client.terminate())
      })
      assert.deepStrictEqual(
        seqs,
        stored.map(({ seq }) => seq),
      )
    }),
  )

  it.effect("WebSocket: runs beside other rooms, starts at a round, restarts on resync, and ends on unsubscribe", () =>
    Effect.gen(function* () {
      const room = replayRoom(long)
      const follower = yield* socket
      follower.send({ action: "subscribe", rooms: ["all", room], shape: "v2", replay: { speed: 20, fromRound: 4 } })
      yield* follower.until((message): message is ServerMessage & { type: "cs2.live.delta" } => message.type === "cs2.live.delta")
      const begun = follower.messages.findIndex((message) => isSubscribed(message) && message.rooms.includes(room))
      const first = follower.messages[begun + 1]
      assert.deepStrictEqual(
        [
          follower.messages.filter(isSubscribed).length,
          first?.type,
          first !== undefined && "shape" in first && "data" in first && first.data.game?.round,
        ],
        [2, "cs2.live.snapshot", 4],
      )
      const before = follower.messages.length
      follower.send({ action: "resync", rooms: [room] })
      const again = yield* follower.until(
        (message): message is ServerMessage & { type: "cs2.live.snapshot" } =>
          message.type === "cs2.live.snapshot" && message.matchId === long && follower.messages.indexOf(message) >= before,
      )
      yield* follower.until(
        (message): message is ServerMessage & { type: "cs2.live.delta" } => message.type === "cs2.live.delta" && message.base === again.seq,
      )
      follower.send({ action: "unsubscribe", rooms: [room] })
      yield* follower.until((message): message is ServerMessage & { type: "unsubscribed" } => message.type === "unsubscribed")
      const count = follower.messages.length
      follower.send({ action: "resync", rooms: [room] })
      assert.strictEqual((yield* follower.until(isError)).code, "UNKNOWN_ROOM")
      assert.strictEqual(follower.messages.length, count + 1)
    }),
  )

  it.effect("WebSocket: reports unknown matches and too many replays as errors of the room, and frees a slot at once", () =>
    Effect.gen(function* () {
      const follower = yield* socket
      const errors = () => follower.messages.filter(isError).map(({ code, room }) => [code, room])
      follower.send({ action: "subscribe", rooms: ["replay:cs2-match-77"] })
      yield* follower.until(isError)
      assert.deepStrictEqual(errors(), [["MATCH_NOT_FOUND", "replay:cs2-match-77"]])
      const others = yield* Effect.forEach([1, 2, 3, 4, 5], () => socket)
      for (const other of others) {
        other.send({ action: "subscribe", rooms: [replayRoom(long)] })
        yield* other.until(isSubscribed)
      }
      follower.send({ action: "subscribe", rooms: [replayRoom(short)] })
      yield* follower.until((message): message is StreamError => isError(message) && message.code === "TOO_MANY_REPLAYS")
      assert.deepStrictEqual(yield* Effect.map(refusal(`/${short}/replay`), (answer) => answer.slice(0, 2)), [429, "TOO_MANY_REPLAYS"])
      others[0]?.send({ action: "unsubscribe", rooms: [replayRoom(long)] })
      yield* others[0]?.until((message): message is ServerMessage & { type: "unsubscribed" } => message.type === "unsubscribed") ?? raise()
      follower.send({ action: "subscribe", rooms: [replayRoom(short)], replay: { speed: 0 } })
      assert.strictEqual((yield* follower.until(isEnd)).frames, (yield* storedFrames(short)).length)
    }).pipe(Effect.scoped),
  )

  it.effect("SSE: an EventSource reconnects after every drop and has every frame once", () =>
    Effect.gen(function* () {
      const stored = yield* storedFrames(short)
      const { url } = yield* Stack
      const received = yield* Effect.callback<{ readonly ids: ReadonlyArray<string>; readonly opened: number; readonly ended: string }>(
        (resume) => {
          const ids: Array<string> = []
          let opened = 0
          const source = new EventSource(`${url}/cs2/live/${short}/replay?speed=0&faults=drop,duplicate&seed=3&shape=v2`, {
            fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, "x-api-key": KEY } }),
          })
          source.addEventListener("open", () => {
            opened += 1
          })
          for (const name of ["cs2.live.delta", "cs2.live.snapshot"]) source.addEventListener(name, (event) => ids.push(event.lastEventId))
          source.addEventListener("replay_ended", (event) => {
            source.close()
            resume(Effect.succeed({ ids, opened, ended: event.data }))
          })
          return Effect.sync(() => source.close())
        },
      )
      assert.isAtLeast(received.opened, 3)
      assert.isAbove(received.ids.length, stored.length)
      assert.deepStrictEqual(
        [...new Set(received.ids)].map((id) => parseCursor(id)?.seq),
        stored.map(({ seq }) => seq),
      )
      const ended = decodeServerMessage(received.ended)
      assert.isTrue(Result.isSuccess(ended) && ended.success.type === "replay_ended")
    }),
  )

  it.effect("SSE: sends ready, the frames as they were sent live and the end, then closes the response", () =>
    Effect.gen(function* () {
      const stored = yield* storedFrames(short)
      const response = yield* get(`/${short}/replay?speed=0`)
      assert.strictEqual(response.headers.get("content-type"), "text/event-stream; charset=utf-8")
      const events = (yield* Effect.promise(() => response.text())).split("\n\n").map((event) => event.split("\n"))
      const names = events.flatMap((lines) => lines.flatMap((line) => (line.startsWith("event: ") ? [line.slice(7)] : [])))
      assert.deepStrictEqual(names, ["ready", ...stored.map(() => "cs2.live.update"), "replay_ended"])
      const data = events.flatMap((lines) =>
        lines.flatMap((line) => (line.startsWith('data: {"type":"cs2.live.update"') ? [line.slice(6)] : [])),
      )
      for (const [index, { update }] of stored.entries()) assert.strictEqual(data[index], new TextDecoder().decode(update))
    }),
  )

  it.effect("SSE: rejects invalid requests before the stream begins", () =>
    Effect.gen(function* () {
      const wrong = [
        ["speed=fast", "speed"],
        ["speed=", "speed"],
        ["speed=1001", "speed"],
        ["fromMap=0", "fromMap"],
        ["fromRound=1.5", "fromRound"],
        ["faults=drop,fire", "faults"],
        ["seed=-1", "seed"],
        ["shape=v3", "shape"],
        ["lastEventId=nonsense", "lastEventId"],
        [`lastEventId=${short}:1:5:5`, "lastEventId"],
      ] as const
      for (const [query, parameter] of wrong) {
        const [status, code, message] = yield* refusal(`/${long}/replay?${query}`)
        assert.deepStrictEqual([status, code, message.startsWith(`${parameter} must be `)], [400, "VALIDATION_ERROR", true], query)
      }
      const status = (path: string, headers?: Record<string, string>) => Effect.map(refusal(path, headers), (answer) => answer.slice(0, 2))
      assert.deepStrictEqual(yield* status("/cs2-match-77/replay"), [404, "MATCH_NOT_FOUND"])
      assert.deepStrictEqual(yield* status("/%00/replay"), [404, "MATCH_NOT_FOUND"])
      assert.deepStrictEqual(yield* status(`/${long}/replay`, { "x-api-key": "mp_wrong" }), [401, "INVALID_API_KEY"])
    }),
  )

  it.effect("hides a match of the last minute from a delayed plan", () =>
    Effect.gen(function* () {
      const answer = yield* refusal(`/${long}/replay`, { "x-api-key": FREE_KEY })
      assert.deepStrictEqual(answer.slice(0, 2), [404, "MATCH_NOT_FOUND"])
    }),
  )
})

it.live(
  "a stopping server sends replays a cursor to resume from, over WebSocket and SSE",
  () =>
    Effect.gen(function* () {
      const room = replayRoom(short)
      let events = ""
      const follower = yield* Effect.scoped(
        Effect.gen(function* () {
          const following = yield* socket
          following.send({ action: "subscribe", rooms: [room], replay: { speed: 5 } })
          yield* following.until((message): message is LiveUpdate => message.type === "cs2.live.update")
          const response = yield* get(`/${short}/replay?speed=5`)
          yield* Effect.callback<void>((resume) => {
            const read = async () => {
              const reader = response.body?.getReader() ?? raise()
              for (let part = await reader.read(); !part.done; part = await reader.read()) {
                events += new TextDecoder().decode(part.value)
                if (events.includes("event: cs2.live.update")) resume(Effect.void)
              }
            }
            read().catch(() => {})
          })
          return following
        }).pipe(Effect.provide(Layer.provideMerge(Played, memoryStack))),
      )
      const goodbye = follower.messages.find((message) => message.type === "reconnect")
      const last = follower.messages.flatMap((message) => (message.type === "cs2.live.update" ? [message.seq] : [])).at(-1)
      assert.strictEqual(goodbye?.type === "reconnect" ? goodbye.resume[room]?.seq : undefined, last)
      const reconnectData = /event: reconnect\ndata: (.*)\n/.exec(events)?.[1] ?? "{}"
      const ids = [...events.matchAll(/^id: (.*)$/gm)].map(([, id]) => parseCursor(id ?? "")?.seq)
      const resume: Record<string, Cursor> = JSON.parse(reconnectData).resume ?? {}
      assert.isDefined(resume[room])
      assert.strictEqual(resume[room]?.seq, ids.at(-1))
    }),
  60_000,
)
