/**
 * HTTP proxy on loopback through which one download reaches the internet. Connects only to addresses that the policy
 * permits, so that neither a redirect nor a playlist can reach the operator's network. Ends all connections at the
 * limit of bytes. Requires a random password, because other users of the machine can connect to loopback too. Does not
 * decrypt TLS, cache or retry.
 */
import { randomBytes, timingSafeEqual } from "node:crypto"
import { lookup } from "node:dns/promises"
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, connect, isIP, type LookupFunction, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type AddressPolicy, checkAddress, checkUrl } from "@matchpoint/webhooks/addressPolicy"
import { Context, Effect, Result } from "effect"

export interface EgressOptions {
  readonly policy: AddressPolicy
  /** Limit of all responses together. */
  readonly maxBytes: number
}

export interface Egress {
  /** Value of `HTTP_PROXY` and `HTTPS_PROXY`, with the password. */
  readonly url: string
  /** Reason for the last refused request. */
  readonly refused: () => string | undefined
  /** True if the limit of bytes was reached. */
  readonly isExhausted: () => boolean
}

/** A reference, so that tests can point a name to another address. */
export class EgressResolver extends Context.Reference<(hostname: string) => Promise<ReadonlyArray<string>>>(
  "@matchpoint/service-transcripts/EgressResolver",
  { defaultValue: () => async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address) },
) {}

const CONNECT_TIMEOUT_MS = 10_000
/** A connection without data in either direction is closed after this time. */
const IDLE_TIMEOUT_MS = 20_000
/** Maximum number of connections at the same time. yt-dlp uses one or two. */
const MAX_CONNECTIONS = 16

/** Starts a proxy on a free port. When the scope closes, the connections are destroyed. */
export const startEgress = Effect.fn("EgressProxy.start")(function* ({ maxBytes, policy }: EgressOptions) {
  const resolve = yield* EgressResolver
  const password = randomBytes(24).toString("base64url")
  const expected = Buffer.from(`Basic ${Buffer.from(`job:${password}`).toString("base64")}`)
  const sockets = new Set<Duplex>()
  let bytes = 0
  let refused: string | undefined

  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) destroyAll()
  }
  const track = <S extends Duplex>(socket: S): S => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    // An error is always followed by `close`, which ends the other side.
    socket.on("error", () => {})
    return socket
  }
  const refuse = (reason: string): Refusal => {
    refused = reason
    return new Refusal(reason)
  }

  /** The URL and the permitted addresses of its host. Throws a `Refusal` if one is not permitted. */
  const targetOf = async (url: string): Promise<Target> => {
    if (bytes > maxBytes) throw refuse("the limit of bytes is reached")
    const checked = checkUrl(policy, url)
    if (Result.isFailure(checked)) throw refuse(`${url.slice(0, 200)}: ${checked.failure.message}`)
    const target = checked.success
    const host = target.hostname.replace(/^\[|\]$/g, "")
    const addresses = isIP(host) === 0 ? await within(resolve(host), CONNECT_TIMEOUT_MS) : [host]
    if (addresses.length === 0 || !addresses.every((address) => checkAddress(policy, address))) {
      throw refuse(`${host}: the address is not public`)
    }
    return { url: target, host, lookup: lookupOf(addresses) }
  }

  const isAuthorized = (message: IncomingMessage): boolean => {
    const given = Buffer.from(message.headers["proxy-authorization"] ?? "")
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  const tunnel = async (message: IncomingMessage, client: Duplex, head: Buffer) => {
    track(client)
    if (!isAuthorized(message)) return client.end(statusLine(407))
    try {
      const { host, lookup: checkedLookup, url } = await targetOf(`https://${message.url ?? ""}/`)
      const upstream = track(connect({ host, port: Number(url.port || 443), lookup: checkedLookup }))
      limitTime(upstream)
      upstream.on("data", count)
      upstream.once("connect", () => {
        upstream.setTimeout(IDLE_TIMEOUT_MS)
        client.write("HTTP/1.1 200 Connection established\r\n\r\n")
        upstream.write(head)
        upstream.pipe(client)
        client.pipe(upstream)
      })
      upstream.once("close", () => client.destroy())
      client.once("close", () => upstream.destroy())
    } catch (error) {
      client.end(statusLine(error instanceof Refusal ? 403 : 502))
    }
  }

  const forward = async (message: IncomingMessage, response: ServerResponse) => {
    if (!isAuthorized(message)) return response.writeHead(407).end()
    try {
      const { host, lookup: checkedLookup, url } = await targetOf(message.url ?? "")
      const { "proxy-authorization": _, "proxy-connection": __, ...headers } = message.headers
      const outgoing = httpRequest({
        host,
        port: Number(url.port || 80),
        lookup: checkedLookup,
        method: message.method,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host, connection: "close" },
        setHost: false,
        agent: false,
      })
      outgoing.once("socket", (socket) => limitTime(track(socket)))
      outgoing.once("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
      outgoing.once("response", (incoming) => {
        incoming.on("data", count)
        incoming.once("error", () => response.destroy())
        response.writeHead(incoming.statusCode ?? 502, incoming.headers)
        incoming.pipe(response)
      })
      response.once("close", () => outgoing.destroy())
      message.pipe(outgoing)
    } catch (error) {
      response.writeHead(error instanceof Refusal ? 403 : 502).end()
    }
  }

  const server = createServer((message, response) => void forward(message, response))
  server.maxConnections = MAX_CONNECTIONS
  server.on("connection", track)
  server.on("connect", (message, client, head) => void tunnel(message, client, head))

  const { port } = yield* Effect.acquireRelease(
    Effect.callback<AddressInfo>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server.address() as AddressInfo)))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        destroyAll()
      }),
  )
  return {
    url: `http://job:${password}@127.0.0.1:${port}`,
    refused: () => refused,
    isExhausted: () => bytes > maxBytes,
  } satisfies Egress
})

interface Target {
  readonly url: URL
  /** Name or address, without the brackets of an IPv6 address. */
  readonly host: string
  readonly lookup: LookupFunction
}

/** Returns the checked addresses. Node tries them one after the other. */
const lookupOf =
  (addresses: ReadonlyArray<string>): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all === true) callback(null, found)
    else callback(null, found[0]?.address ?? "", found[0]?.family)
  }

/** The policy does not permit a request. */
class Refusal extends Error {}

const statusLine = (status: number): string =>
  `HTTP/1.1 ${status} ${status === 403 ? "Forbidden" : status === 407 ? "Proxy Authentication Required" : "Bad Gateway"}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`

const limitTime = (socket: Socket): void => {
  socket.setTimeout(CONNECT_TIMEOUT_MS)
  socket.once("connect", () => socket.setTimeout(IDLE_TIMEOUT_MS))
  socket.on("timeout", () => socket.destroy())
}

const within = <A>(promise: Promise<A>, ms: number): Promise<A> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
