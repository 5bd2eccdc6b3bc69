import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Link } from "./Link.ts"

/** Returns the port of a server that sends everything back. */
const echo = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
    const server = createServer((socket) => socket.on("error", () => {}).pipe(socket))
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (typeof address === "object" && address !== null) resume(Effect.succeed({ port: address.port, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close),
)

const connecting = (port: number) => connect({ port, host: "127.0.0.1" }).on("error", () => {})

const opened = (port: number) =>
  Effect.promise(async () => {
    const socket = connecting(port)
    await once(socket, "connect")
    return socket
  })

/** Resolves when a socket has ended, also by an error. */
const ended = (socket: Socket) => Effect.callback<void>((resume) => void socket.once("close", () => resume(Effect.void)))

const send = (socket: Socket, text: string) => Effect.sync(() => socket.write(text))
const received = (socket: Socket) => Effect.promise(async () => String((await once(socket, "data"))[0]))

const linked = Effect.gen(function* () {
  const { port } = yield* echo
  const link = yield* Link.open("test", port)
  const socket = yield* opened(link.port)
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
  return { link, socket }
})

it.live("holds bytes back during a silent cut and delivers them after it", () =>
  Effect.gen(function* () {
    const { link, socket } = yield* linked
    yield* send(socket, "before")
    assert.strictEqual(yield* received(socket), "before")
    yield* link.cutSilently
    yield* send(socket, "during")
    let arrived = ""
    socket.on("data", (bytes) => {
      arrived += String(bytes)
    })
    yield* Effect.sleep(100)
    assert.strictEqual(arrived, "")
    yield* link.heal
    while (arrived === "") yield* Effect.sleep(5)
    assert.strictEqual(arrived, "during")
  }).pipe(Effect.scoped),
)

it.live("resets connections and refuses new ones", () =>
  Effect.gen(function* () {
    const { link, socket } = yield* linked
    yield* send(socket, "before")
    yield* received(socket)
    yield* Effect.all([ended(socket), link.cutWithResets], { concurrency: 2 })
    assert.strictEqual(link.connections, 0)
    yield* ended(connecting(link.port))
    yield* link.heal
    const again = yield* opened(link.port)
    yield* send(again, "after")
    assert.strictEqual(yield* received(again), "after")
    again.destroy()
  }).pipe(Effect.scoped),
)

it.live("delays bytes and limits their rate", () =>
  Effect.gen(function* () {
    const { link, socket } = yield* linked
    yield* link.slowDown({ latencyMs: 60, bytesPerSecond: 1_000_000 })
    const startedAt = performance.now()
    yield* send(socket, "slow")
    assert.strictEqual(yield* received(socket), "slow")
    assert.isAtLeast(performance.now() - startedAt, 119)
  }).pipe(Effect.scoped),
)
