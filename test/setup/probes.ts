/**
 * Checks whether an external service that some suites need is available. Each probe is one short exchange without a
 * client library, so that it cannot fail for a library's reasons. It never starts, stops or changes a service. The
 * result is the address to use, or the reason why none is available.
 */
import { accessSync, constants, statSync } from "node:fs"
import { connect } from "node:net"

export type Probe = { readonly found: string } | { readonly missing: string }

/** Services run on this machine or next to it. A service that takes longer than this counts as absent. */
const answerWithinMs = 3_000

/** If a server sends more than this before `read` returns a result, it is not the expected service. */
const longestAnswerBytes = 64 * 1024

/**
 * Checks for a NATS server with JetStream. The server greets with `INFO {json}`. `url`: `nats://host:port` or
 * `host:port`.
 */
export async function probeNats(url: string): Promise<Probe> {
  const address = parseAddress(url, "nats", 4222)
  if ("missing" in address) return address
  return exchange(address.url, undefined, (answer) => {
    const end = answer.indexOf("\r\n")
    if (end === -1) return undefined
    const line = answer.subarray(0, end).toString("utf8")
    if (!line.startsWith("INFO {")) return { missing: `the server at ${address.url.host} is not a NATS server` }
    return readsJetStream(line.slice("INFO ".length))
      ? { found: url }
      : { missing: `the NATS server at ${address.url.host} runs without JetStream (start it with -js)` }
  })
}

/**
 * Sends PostgreSQL's startup message and reads until the server is ready for queries. If the server requires a password
 * and the address carries one, the server counts as found: a wrong password then fails the suites, which a skip would
 * hide.
 */
export async function probePostgres(url: string): Promise<Probe> {
  const address = parseAddress(url, "postgres", 5432)
  if ("missing" in address) return address
  const { host, password, pathname, username } = address.url
  const user = decodeURIComponent(username) || "postgres"
  const database = decodeURIComponent(pathname.slice(1)) || user
  return exchange(address.url, startupMessage(user, database), (answer) => {
    for (const message of backendMessages(answer)) {
      if (message.type === "E") return { missing: `PostgreSQL at ${host} rejects the connection: ${errorText(message.body)}` }
      if (message.type === "R" && message.body.readInt32BE(0) !== 0) {
        return password ? { found: url } : { missing: `PostgreSQL at ${host} requires a password for user ${user}` }
      }
      if (message.type === "Z") return { found: url }
      if (!"RSKN".includes(message.type)) return { missing: `the server at ${host} is not PostgreSQL` }
    }
    return undefined
  })
}

/**
 * Sends `PING` and reads the reply. As with PostgreSQL, a server that requires a password counts as found if the
 * address carries one. `url`: `redis://[user[:password]@]host:port[/database]`.
 */
export async function probeRedis(url: string): Promise<Probe> {
  const address = parseAddress(url, "redis", 6379)
  if ("missing" in address) return address
  const { host, password } = address.url
  return exchange(address.url, Buffer.from("*1\r\n$4\r\nPING\r\n"), (answer) => {
    const end = answer.indexOf("\r\n")
    if (end === -1) return undefined
    const line = answer.subarray(0, end).toString("utf8")
    if (line === "+PONG") return { found: url }
    if (line.startsWith("-NOAUTH")) return password ? { found: url } : { missing: `Redis at ${host} requires a password` }
    return {
      missing: line.startsWith("-") ? `Redis at ${host} rejects the connection: ${line.slice(1)}` : `the server at ${host} is not Redis`,
    }
  })
}

/** Finds the first of `candidates` that is an executable file. */
export function probeExecutable(candidates: ReadonlyArray<string>): Probe {
  const found = candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return statSync(path).isFile()
    } catch {
      return false // missing or not accessible: try the next candidate
    }
  })
  return found === undefined ? { missing: `none of ${candidates.join(", ")} is executable` } : { found }
}

/** Finds `path` if it is a directory. */
export function probeDirectory(path: string): Probe {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? { found: path } : { missing: `${path} is not a directory` }
}

function parseAddress(url: string, scheme: string, defaultPort: number): { readonly url: URL } | { readonly missing: string } {
  const text = url.includes("://") ? url : `${scheme}://${url}`
  // The address may contain a password, so the reason never repeats it.
  if (!URL.canParse(text)) return { missing: `its address is not of the form ${scheme}://host:${defaultPort}` }
  const parsed = new URL(text)
  if (parsed.port === "") parsed.port = String(defaultPort)
  return { url: parsed }
}

/**
 * Connects, sends `hello`, and passes all bytes received so far to `read` until it returns a result or the time limit
 * is reached.
 */
function exchange(url: URL, hello: Buffer | undefined, read: (answer: Buffer) => Probe | undefined): Promise<Probe> {
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port) })
    let answer: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => settle({ missing: `no answer from ${url.host} within ${answerWithinMs} ms` }), answerWithinMs)
    const settle = (verdict: Probe) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(verdict)
    }
    socket.on("connect", () => hello && socket.write(hello))
    socket.on("data", (chunk) => {
      answer = Buffer.concat([answer, chunk])
      const verdict = read(answer)
      if (verdict) settle(verdict)
      else if (answer.length > longestAnswerBytes) settle({ missing: `the answer from ${url.host} is not understood` })
    })
    socket.on("error", (error: NodeJS.ErrnoException) =>
      settle({ missing: `no connection to ${url.host} (${error.code ?? error.message})` }),
    )
    socket.on("close", () => settle({ missing: `${url.host} closed the connection` }))
  })
}

function readsJetStream(info: string): boolean {
  try {
    const parsed: unknown = JSON.parse(info)
    return typeof parsed === "object" && parsed !== null && "jetstream" in parsed && parsed.jetstream === true
  } catch {
    return false
  }
}

/**
 * Startup message of protocol 3.0: length, version, then key/value pairs of zero-terminated strings, ended by an empty
 * string.
 */
function startupMessage(user: string, database: string): Buffer {
  const pairs = Buffer.from(`user\0${user}\0database\0${database}\0\0`, "utf8")
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + pairs.length, 0)
  head.writeInt32BE(0x0003_0000, 4)
  return Buffer.concat([head, pairs])
}

/** Yields the complete messages in `bytes`: one letter, a length that includes itself, the body. */
function* backendMessages(bytes: Buffer): Generator<{ readonly type: string; readonly body: Buffer }> {
  let at = 0
  while (at + 5 <= bytes.length) {
    const end = at + 1 + Math.max(4, bytes.readInt32BE(at + 1))
    // The next chunk may complete a partial message of a known type. A message of an unknown type is reported at once.
    const type = String.fromCharCode(bytes.readUInt8(at))
    if (end > bytes.length) {
      if (!"ERSKNZ".includes(type)) yield { type, body: Buffer.alloc(0) }
      return
    }
    yield { type, body: bytes.subarray(at + 5, end) }
    at = end
  }
}

/** Returns the field `M` (message) of an ErrorResponse. */
function errorText(body: Buffer): string {
  const field = body
    .toString("utf8")
    .split("\0")
    .find((part) => part.startsWith("M"))
  return field?.slice(1) ?? "no reason given"
}
