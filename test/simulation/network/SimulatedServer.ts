/**
 * UwsServer without a network: the real routes, connections and topics of packages/uws on simulated native sockets. One per gateway
 * process; the world opens connections to it and may let it vanish as a killed process does.
 */

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
import type { ConnectRequest, SocketClient, StreamClient } from "./connections.ts"
import { simulatedRequest, simulatedResponse } from "./SimulatedResponse.ts"
import { SimulatedSocket } from "./SimulatedSocket.ts"
import { TopicTree } from "./TopicTree.ts"

interface Vanishing {
  readonly vanish: (kept: number, silently: boolean) => void
}

interface Route {
  readonly socket?: (request: ConnectRequest, client: SocketClient) => void
  readonly stream?: (request: ConnectRequest, client: StreamClient) => void
  readonly endAll: (code: number, reason: string) => void
  readonly forget: () => void
}

const farewell = { code: 1001, reason: "server is shutting down" }

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

  connectSocket(request: ConnectRequest, client: SocketClient): void {
    this.#connect(request, client, (route) => route?.socket?.(request, client))
  }

  connectStream(request: ConnectRequest, client: StreamClient): void {
    this.#connect(request, client, (route) => route?.stream?.(request, client))
  }

  /** The process is killed. Clients see the connection break, unless the machine is gone as well (`silently`): then they hear nothing. */
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
      for (const route of this.#routes.values()) route.endAll(farewell.code, farewell.reason)
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
          const someone = this.#tree.publish(topic, typeof bytes === "string" ? utf8.encode(bytes) : bytes)
          this.#skips.notifyAll()
          return someone
        },
        subscribers: (topic) => this.#tree.count(topic),
        publishSse: (topic, bytes) => (this.#gone ? 0 : this.#topics.publish(topic, bytes)),
        sseSubscribers: (topic) => this.#topics.count(topic),
        onShutdown: farewells.add,
        shutdown,
        requests: this.#requests,
      })
    })
    return Layer.effect(UwsServer, service)
  }

  #connect(request: ConnectRequest, client: SocketClient | StreamClient, enter: (route: Route | undefined) => void): void {
    this.#loop.arrive(request.speed.latencyMs, () => {
      if (this.#gone || this.#stopping) client.lost()
      else if (this.#routes.has(request.path)) enter(this.#routes.get(request.path))
      else client.rejected(404, "")
    })
  }

  #serveSockets<Data, R>(path: string, handler: WebSocketHandler<Data, R>): Effect.Effect<void, never, R | Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const route = new WebSocketRoute(path, handler, yield* Effect.context<R>(), yield* Effect.scope, this.#host)
      const { behavior } = route
      const isData = (data: unknown): data is SocketData<Data> => typeof data === "object" && data !== null && "connection" in data
      const enter = (request: ConnectRequest, client: SocketClient): void => {
        const { response, end } = simulatedResponse({
          loop: this.#loop,
          request,
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
              speed: request.speed,
              remoteAddress: new Uint8Array(request.address).buffer,
              ended: () => this.#open.delete(socket),
            })
            this.#open.add(socket)
            this.#loop.arrive(request.speed.latencyMs, () => client.opened(socket))
            socket.opened()
          },
          ended: () => this.#open.delete(end),
        })
        this.#open.add(end)
        behavior.upgrade?.(response, simulatedRequest(request), noContext)
      }
      this.#routes.set(path, {
        socket: enter,
        endAll: (code, reason) => route.endAll(code, reason),
        forget: () => route.forgetAll(),
      })
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          route.deactivate()
          route.endAll(farewell.code, farewell.reason)
        }),
      )
    })
  }

  #serveStreams<Data, R>(path: string, handler: SseHandler<Data, R>): Effect.Effect<void, never, R | Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const route = new SseRoute(path, handler, yield* Effect.context<R>(), yield* Effect.scope, this.#host)
      const enter = (request: ConnectRequest, client: StreamClient): void => {
        const { response, end } = simulatedResponse({
          loop: this.#loop,
          request,
          client,
          stream: client,
          upgrade: undefined,
          ended: () => this.#open.delete(end),
        })
        this.#open.add(end)
        route.handle(response, simulatedRequest(request))
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

/** What the native library hands from a request to its upgrade; nothing looks into it. */
const noContext = {}

const utf8 = new TextEncoder()
