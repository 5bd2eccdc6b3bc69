/**
 * UwsServer without a network: the real routes, connections and topics of packages/uws on simulated native sockets. One
 * per gateway process. The world opens connections to it and may make it vanish as a killed process does.
 */
import { RequestTurns } from "@matchpoint/uws/RequestTurns"
import { Shutdown } from "@matchpoint/uws/Shutdown"
import { ShutdownCallbacks } from "@matchpoint/uws/ShutdownCallbacks"
import { SkipNotices } from "@matchpoint/uws/SkipNotices"
import { type SseHandler, SseRoute } from "@matchpoint/uws/SseRoute"
import { SseTopics } from "@matchpoint/uws/SseTopics"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import type { SocketData } from "@matchpoint/uws/WebSocketConnection"
import { type WebSocketHandler, WebSocketRoute } from "@matchpoint/uws/WebSocketRoute"
import { Effect, Layer, type Scope } from "effect"
import { NetAddress } from "effect/net"
import type { VirtualLoop } from "../machine/VirtualLoop.ts"
import type { ConnectionAttempt, SocketClient, StreamClient } from "./connections.ts"
import { simulatedRequest, simulatedResponse } from "./SimulatedResponse.ts"
import { SimulatedSocket } from "./SimulatedSocket.ts"
import { TopicTree } from "./TopicTree.ts"

interface Vanishing {
  readonly vanish: (kept: number, silently: boolean) => void
}

interface Route {
  readonly socket?: (attempt: ConnectionAttempt, client: SocketClient) => void
  readonly stream?: (attempt: ConnectionAttempt, client: StreamClient) => void
  readonly endAll: (code: number, reason: string) => void
  readonly forget: () => void
}

const shutdownClose = { code: 1001, reason: "server is shutting down" }

export class SimulatedServer {
  readonly #loop: VirtualLoop
  readonly #routes = new Map<string, Route>()
  readonly #tree = new TopicTree()
  readonly #topics = new SseTopics()
  readonly #requests = new Shutdown()
  readonly #open = new Set<Vanishing>()
  readonly #skips = new SkipNotices()
  #stopping = false
  #gone = false
  #lastConnectionId = 0
  readonly #host = {
    nextConnectionId: () => ++this.#lastConnectionId,
    accepting: () => this.isListening,
    topics: this.#topics,
    skips: this.#skips,
    // Real time must not decide what a simulated client meets.
    turns: new RequestTurns(Number.POSITIVE_INFINITY),
    upgradeLate: (upgrade: () => void) => upgrade(),
  }

  constructor(loop: VirtualLoop) {
    this.#loop = loop
    loop.betweenPhases(() => this.#tree.drainAll())
  }

  /** Whether a client can still connect. */
  get isListening(): boolean {
    return !this.#stopping && !this.#gone
  }

  get connections(): number {
    return this.#open.size
  }

  connectSocket(attempt: ConnectionAttempt, client: SocketClient): void {
    this.#connect(attempt, client, (route) => route?.socket?.(attempt, client))
  }

  connectStream(attempt: ConnectionAttempt, client: StreamClient): void {
    this.#connect(attempt, client, (route) => route?.stream?.(attempt, client))
  }

  /**
   * Kills the process. Clients see the connection break. If the machine fails as well (`silently`), they receive
   * nothing.
   */
  vanish(kept: number, silently: boolean): void {
    this.#gone = true
    for (const connection of this.#open) connection.vanish(kept, silently)
    this.#open.clear()
    for (const route of this.#routes.values()) route.forget()
  }

  get layer(): Layer.Layer<UwsServer> {
    const farewells = new ShutdownCallbacks()
    const shutdown = Effect.gen({ self: this }, function* () {
      if (this.#stopping) return
      this.#stopping = true
      farewells.runAll()
      for (const route of this.#routes.values()) route.endAll(shutdownClose.code, shutdownClose.reason)
      yield* Effect.sleep("50 millis")
      for (const route of this.#routes.values()) route.forget()
    })
    const service = Effect.gen({ self: this }, function* () {
      yield* Effect.addFinalizer(() => shutdown)
      return UwsServer.of({
        address: yield* Effect.orDie(Effect.fromResult(NetAddress.inetAddressFromIpString("127.0.0.1", 8080))),
        websocket: (path, handler) => this.#serveSockets(path, handler),
        sse: (path, handler) => this.#serveStreams(path, handler),
        http: () => Effect.void,
        publish: (topic, bytes) => {
          if (this.#gone) return false
          this.#skips.notifyAll()
          const hasSubscribers = this.#tree.publish(topic, typeof bytes === "string" ? utf8.encode(bytes) : bytes)
          this.#skips.notifyAll()
          return hasSubscribers
        },
        subscribers: (topic) => this.#tree.count(topic),
        publishSse: (topic, bytes) => (this.#gone ? 0 : this.#topics.publish(topic, bytes)),
        sseSubscribers: (topic) => this.#topics.count(topic),
        turns: this.#host.turns,
        upgradeLate: this.#host.upgradeLate,
        onShutdown: farewells.add,
        shutdown,
        requests: this.#requests,
      })
    })
    return Layer.effect(UwsServer, service)
  }

  #connect(attempt: ConnectionAttempt, client: SocketClient | StreamClient, enter: (route: Route | undefined) => void): void {
    this.#loop.arrive(attempt.speed.latencyMs, () => {
      if (this.#gone || this.#stopping) client.lost()
      else if (this.#routes.has(attempt.path)) enter(this.#routes.get(attempt.path))
      else client.rejected(404, "")
    })
  }

  #serveSockets<Data, R>(path: string, handler: WebSocketHandler<Data, R>): Effect.Effect<void, never, R | Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const route = new WebSocketRoute(path, handler, yield* Effect.context<R>(), yield* Effect.scope, this.#host)
      const { behavior } = route
      const isData = (data: unknown): data is SocketData<Data> => typeof data === "object" && data !== null && "connection" in data
      const enter = (attempt: ConnectionAttempt, client: SocketClient): void => {
        const { response, end } = simulatedResponse({
          loop: this.#loop,
          attempt,
          client,
          stream: undefined,
          upgrade: (data: unknown) => {
            if (!isData(data)) throw new Error("a socket without its connection")
            const socket: SimulatedSocket<SocketData<Data>> = new SimulatedSocket<SocketData<Data>>({
              loop: this.#loop,
              data,
              behavior,
              tree: this.#tree,
              client,
              speed: attempt.speed,
              remoteAddress: new Uint8Array(attempt.address).buffer,
              ended: () => this.#open.delete(socket),
            })
            this.#open.add(socket)
            this.#loop.arrive(attempt.speed.latencyMs, () => client.opened(socket))
            socket.opened()
          },
          ended: () => this.#open.delete(end),
        })
        this.#open.add(end)
        behavior.upgrade?.(response, simulatedRequest(attempt), noContext)
      }
      this.#routes.set(path, {
        socket: enter,
        endAll: (code, reason) => route.endAll(code, reason),
        forget: () => route.forgetAll(),
      })
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          route.deactivate()
          route.endAll(shutdownClose.code, shutdownClose.reason)
        }),
      )
    })
  }

  #serveStreams<Data, R>(path: string, handler: SseHandler<Data, R>): Effect.Effect<void, never, R | Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const route = new SseRoute(path, handler, yield* Effect.context<R>(), yield* Effect.scope, this.#host)
      const enter = (attempt: ConnectionAttempt, client: StreamClient): void => {
        const { response, end } = simulatedResponse({
          loop: this.#loop,
          attempt,
          client,
          stream: client,
          upgrade: undefined,
          ended: () => this.#open.delete(end),
        })
        this.#open.add(end)
        route.handle(response, simulatedRequest(attempt))
      }
      this.#routes.set(path, {
        stream: enter,
        endAll: () => route.endAll(),
        forget: () => {
          for (const connection of [...route.connections]) connection.detach()
        },
      })
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          route.deactivate()
          route.endAll()
        }),
      )
    })
  }
}

/** Value that the native library passes from a request to its upgrade. No code reads it. */
const noContext = {}

const utf8 = new TextEncoder()
