/**
 * An HTTP response of uWebSockets.js without a network: a rejected or accepted handshake, or a stream of events. As the native one
 * it does not send what waits by itself once it has an `onWritable` handler: the handler's next cork does.
 */
import type { HttpRequest, HttpResponse, RecognizedString } from "uWebSockets.js"
import type { VirtualLoop } from "../machine/VirtualLoop.ts"
import type { ConnectRequest, Listener, ServerEnd, StreamClient } from "./connections.ts"
import { Wire } from "./Wire.ts"

type Outgoing = { readonly _tag: "Chunk"; readonly bytes: Uint8Array; readonly sentAt: number } | { readonly _tag: "End" }

export interface ResponseEnd extends ServerEnd {
  /** The server's machine is gone: nothing is called any more. */
  readonly vanish: (kept: number, silently: boolean) => void
}

interface Options {
  readonly loop: VirtualLoop
  readonly request: ConnectRequest
  readonly client: Listener
  /** Set on a stream of events. */
  readonly stream: StreamClient | undefined
  /** Set on a handshake for a WebSocket. */
  readonly upgrade: ((data: unknown) => void) | undefined
  readonly ended: () => void
}

export const simulatedResponse = ({
  loop,
  request,
  client,
  stream,
  upgrade,
  ended,
}: Options): { readonly response: HttpResponse; readonly end: ResponseEnd } => {
  let open = true
  let status = 200
  let headSent = false
  let corked = 0
  let aborted: (() => void) | undefined
  let writable: ((offset: number) => boolean) | undefined
  let largest = 0
  let mostWaiting = 0
  const address = new Uint8Array(request.address).buffer
  const touch = () => {
    if (!open) throw new Error("Invalid access of discarded (invalid, deleted) uWS.HttpResponse/SSLHttpResponse.")
  }
  const wire = new Wire<Outgoing>(loop, request.speed, {
    deliver: (outgoing) => (outgoing._tag === "Chunk" ? stream?.chunk(outgoing.bytes, outgoing.sentAt) : stream?.ended()),
    writable: () => {
      if (!open || writable === undefined) wire.flush()
      else writable(0)
    },
  })
  const over = (): void => {
    if (!open) return
    open = false
    ended()
  }
  /** The kernel gives up a peer that acknowledges nothing of what waits. */
  const giveUp = (read: number, since: number): void => {
    if (!open) return
    const moves = wire.read !== read || wire.unread === 0
    if (!moves && loop.now - since > KERNEL_GIVES_UP_MS) {
      wire.cut()
      abort()
    } else loop.arrive(KERNEL_GIVES_UP_MS / 10, () => giveUp(wire.read, moves ? loop.now : since))
  }
  const abort = (): void => {
    if (!open) return
    over()
    aborted?.()
  }
  const answer = (): HttpResponse => response

  const response: HttpResponse = {
    pause: () => {},
    resume: () => {},
    writeStatus: (line) => {
      touch()
      status = Number(String(line).slice(0, 3))
      return answer()
    },
    writeHeader: () => {
      touch()
      return answer()
    },
    write: (chunk) => {
      touch()
      const bytes = bytesOf(chunk)
      if (!headSent) {
        headSent = true
        giveUp(-1, loop.now)
        loop.arrive(request.speed.latencyMs, () => client.opened(end))
      }
      largest = Math.max(largest, bytes.length)
      wire.write({ _tag: "Chunk", bytes, sentAt: loop.now }, bytes.length, true)
      mostWaiting = Math.max(mostWaiting, wire.waiting)
      return wire.waiting === 0
    },
    end: (body) => {
      touch()
      if (headSent) {
        if (body !== undefined) wire.write({ _tag: "Chunk", bytes: bytesOf(body), sentAt: loop.now }, bytesOf(body).length)
        wire.write({ _tag: "End" }, 1)
      } else {
        const text = body === undefined ? "" : decoder.decode(bytesOf(body))
        loop.arrive(request.speed.latencyMs, () => client.rejected(status, text))
      }
      over()
      return answer()
    },
    endWithoutBody: () => answer().end(),
    tryEnd: () => {
      throw new Error("not simulated")
    },
    close: () => {
      touch()
      wire.cut(1)
      loop.arrive(request.speed.latencyMs, () => client.lost())
      abort()
      return answer()
    },
    getWriteOffset: () => 0,
    onWritable: (handler) => {
      touch()
      writable = handler
      return answer()
    },
    onAborted: (handler) => {
      touch()
      aborted = handler
      return answer()
    },
    onData: () => answer(),
    getRemoteAddress: () => address,
    getRemoteAddressAsText: () => address,
    getProxiedRemoteAddress: () => address,
    getProxiedRemoteAddressAsText: () => address,
    cork: (run) => {
      touch()
      corked += 1
      try {
        run()
      } finally {
        corked -= 1
      }
      if (corked === 0) wire.flush()
      return answer()
    },
    upgrade: (data) => {
      touch()
      open = false
      ended()
      upgrade?.(data)
    },
  }

  const end: ResponseEnd = {
    receive: () => {},
    peerLeft: () => {
      if (!open) return
      wire.cut()
      abort()
    },
    change: (speed) => wire.change(speed),
    vanish: (kept, silently) => {
      open = false
      wire.cut(kept)
      if (!silently) loop.arrive(request.speed.latencyMs, () => client.lost())
    },
    get mostWaiting() {
      return mostWaiting
    },
    get largest() {
      return largest
    },
  }
  return { response, end }
}

/** The request line and headers of a connection attempt. */
export const simulatedRequest = (source: ConnectRequest): HttpRequest => {
  const parameters = new URLSearchParams(source.query)
  function getQuery(): string
  function getQuery(key: string): string | undefined
  function getQuery(key?: string): string | undefined {
    return key === undefined ? source.query : (parameters.get(key) ?? undefined)
  }
  const request: HttpRequest = {
    getHeader: (name) => source.headers[String(name)] ?? "",
    getParameter: () => undefined,
    getUrl: () => source.path,
    getMethod: () => "get",
    getCaseSensitiveMethod: () => "GET",
    getQuery,
    forEach: (run) => {
      for (const [name, value] of Object.entries(source.headers)) run(name, value)
    },
    setYield: () => request,
  }
  return request
}

/** Linux with its usual `tcp_retries2`. */
const KERNEL_GIVES_UP_MS = 924_000

const utf8 = new TextEncoder()
const decoder = new TextDecoder()

const bytesOf = (chunk: RecognizedString): Uint8Array =>
  typeof chunk === "string"
    ? utf8.encode(chunk)
    : chunk instanceof Uint8Array
      ? chunk
      : new Uint8Array(chunk instanceof ArrayBuffer ? chunk : chunk.buffer)
