// A client that is only a TCP socket, for what well-behaved clients never send or show: exact bytes, pauses, early
// leaving.
import { connect, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** Timeout in milliseconds: long enough for a slow machine, shorter than the timeout of a test. */
const patienceMs = 10_000

export class RawClient {
  /** Everything received so far, one character per byte. */
  received = ""
  /** Number of bytes received so far, also counted if `keep` is false. */
  receivedBytes = 0
  closed = false
  /** Stores received bytes. Set it to false before huge downloads. */
  keep = true
  readonly #socket: Socket
  readonly #watchers = new Set<() => void>()

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on("data", (chunk) => {
      this.receivedBytes += chunk.length
      if (this.keep) this.received += chunk.toString("latin1")
      this.#changed()
    })
    // A reset is one way for a connection to end. The tests check only that it has ended.
    socket.on("error", () => {})
    socket.on("close", () => {
      this.closed = true
      this.#changed()
    })
  }

  static open(port: number): Effect.Effect<RawClient, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.callback<RawClient>((resume) => {
        const socket = connect({ port, host: "127.0.0.1" }, () => resume(Effect.succeed(new RawClient(socket))))
      }),
      (client) => Effect.sync(() => client.leave()),
    )
  }

  /** Strings are sent one byte per character. */
  write(data: string | Uint8Array): void {
    this.#socket.write(typeof data === "string" ? Buffer.from(data, "latin1") : data)
  }

  /** Sends a request without a body. */
  get(path: string, headers: ReadonlyArray<string> = []): void {
    this.write([`GET ${path} HTTP/1.1`, "host: test", ...headers, "", ""].join("\r\n"))
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Closes the client's side. Data from the server still arrives. */
  endWriting(): void {
    this.#socket.end()
  }

  leave(): void {
    this.#socket.destroy()
  }

  /** Bytes written that the other side has not accepted yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  /** Resets the connection instead of closing it. */
  reset(): void {
    this.#socket.resetAndDestroy()
  }

  /** Waits until the condition holds. If it does not in time, dies with the received data. */
  until(condition: (client: RawClient) => boolean): Effect.Effect<RawClient> {
    return Effect.promise(() => this.#until(condition))
  }

  untilReceived(text: string): Effect.Effect<RawClient> {
    return this.until(({ received }) => received.includes(text))
  }

  get untilClosed(): Effect.Effect<RawClient> {
    return this.until(({ closed }) => closed)
  }

  #until(condition: (client: RawClient) => boolean): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!condition(this)) return
        clearTimeout(timer)
        this.#watchers.delete(check)
        resolve(this)
      }
      const timer = setTimeout(() => {
        this.#watchers.delete(check)
        reject(new Error(`Not in time. Received ${this.receivedBytes} bytes: ${this.received.slice(0, 2000)}`))
      }, patienceMs)
      this.#watchers.add(check)
      check()
    })
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}

/** Waits until the port no longer accepts connections. */
export const untilRefused = (port: number): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const attempt = () => {
      const socket = connect({ port, host: "127.0.0.1" })
      socket.on("error", () => resume(Effect.void))
      socket.on("connect", () => {
        socket.destroy()
        setTimeout(attempt, 5)
      })
    }
    attempt()
  })
