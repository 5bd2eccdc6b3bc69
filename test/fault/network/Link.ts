/**
 * A TCP proxy on loopback for one link of the system, such as match-1 to NATS. It can cut the link silently (no packet
 * arrives, no connection ends) or with resets, slow it down, and heal it. It works without privileges.
 *
 * While the link is cut silently, bytes of both directions are held back like packets that TCP sends again, and arrive
 * after it heals. New connections are accepted by the proxy and reach the target after it heals.
 */
import { connect, createServer, type Server, type Socket } from "node:net"
import { Effect, type Scope } from "effect"
import { type Slowness, Throttle } from "./Throttle.ts"

type State =
  | { readonly _tag: "Open" }
  | { readonly _tag: "Silent" }
  | { readonly _tag: "Refusing" }
  | ({ readonly _tag: "Slow" } & Slowness)

interface Pair {
  readonly near: Socket
  readonly far: Socket
  readonly throttles: ReadonlyArray<Throttle>
  readonly end: () => void
}

export class Link {
  readonly name: string
  readonly #server: Server
  readonly #target: number
  readonly #pairs = new Set<Pair>()
  #state: State = { _tag: "Open" }

  private constructor(name: string, target: number) {
    this.name = name
    this.#target = target
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => this.#accept(near))
  }

  /** Opens the proxy in front of a port of this machine. It closes, with all connections, when the scope closes. */
  static readonly open = (name: string, target: number): Effect.Effect<Link, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.callback<Link>((resume) => {
        const link = new Link(name, target)
        link.#server.once("error", (error) => resume(Effect.die(error)))
        link.#server.listen(0, "127.0.0.1", () => resume(Effect.succeed(link)))
      }),
      (link) =>
        Effect.callback<void>((resume) => {
          link.#server.close(() => resume(Effect.void))
          link.#reset()
        }),
    )

  get port(): number {
    const address = this.#server.address()
    if (typeof address !== "object" || address === null) throw new Error(`the link ${this.name} is closed`)
    return address.port
  }

  /** Number of connections through the link. */
  get connections(): number {
    return this.#pairs.size
  }

  /** Nothing passes any more, and neither end notices. */
  get cutSilently(): Effect.Effect<void> {
    return this.#enter({ _tag: "Silent" })
  }

  /** Resets all connections, and every new one. */
  get cutWithResets(): Effect.Effect<void> {
    return Effect.andThen(
      this.#enter({ _tag: "Refusing" }),
      Effect.sync(() => this.#reset()),
    )
  }

  slowDown(slowness: Slowness): Effect.Effect<void> {
    return this.#enter({ _tag: "Slow", ...slowness })
  }

  get heal(): Effect.Effect<void> {
    return this.#enter({ _tag: "Open" })
  }

  #enter(state: State): Effect.Effect<void> {
    return Effect.sync(() => {
      this.#state = state
      for (const { end, far, near, throttles } of this.#pairs) {
        for (const throttle of throttles) this.#apply(throttle)
        // One side ended while the link was cut. The other side learns it now.
        if (state._tag !== "Silent" && near.destroyed !== far.destroyed) end()
      }
    })
  }

  #apply(throttle: Throttle): void {
    const state = this.#state
    throttle.setPace(state._tag === "Silent" ? "stopped" : state._tag === "Slow" ? state : "free")
  }

  #accept(near: Socket): void {
    if (this.#state._tag === "Refusing") {
      near.resetAndDestroy()
      return
    }
    const far = connect({ port: this.#target, host: "127.0.0.1", allowHalfOpen: true, noDelay: true })
    const throttles = [new Throttle(near, far), new Throttle(far, near)]
    const end = () => {
      if (!this.#pairs.delete(pair)) return
      for (const throttle of throttles) throttle.close()
      drop(near)
      drop(far)
    }
    const pair: Pair = { near, far, throttles, end }
    this.#pairs.add(pair)
    for (const throttle of throttles) this.#apply(throttle)
    for (const socket of [near, far]) {
      // An error of one side ends the other side too. `close` follows every error.
      socket.on("error", () => {})
      socket.on("close", (hadError) => {
        // While the link is cut silently, the end of one side must not become visible on the other.
        if (hadError && this.#state._tag !== "Silent") end()
        else if (near.destroyed && far.destroyed) end()
      })
    }
  }

  #reset(): void {
    for (const { end } of this.#pairs) end()
  }
}

/**
 * Resets a connection. One that has sent its end is destroyed without a reset, because Node never closes the handle of a
 * reset socket with a pending shutdown, and its process could then not exit.
 */
const drop = (socket: Socket): void => {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
