/**
 * Asks whether an outside service that some suites need is really there: one short conversation per service, no client
 * library, so that a probe can't fail for a library's reasons. It never starts, stops or changes a service.
 * An answer is the address to use, or the reason why there is none.
 */
import { accessSync, constants, statSync } from "node:fs"
import { connect } from "node:net"

export type Probe = { readonly found: string } | { readonly missing: string }

/** The services are on this machine or next to it: one that needs longer than this is as good as absent. */
const answerWithinMs = 3_000

/** A server that talks more than this before `read` is content is not the one we look for. */
const longestAnswerBytes = 64 * 1024

/** A NATS server greets with `INFO {json}`; suites need one with JetStream. `url`: `nats://host:port` or `host:port`. */
export async function probeNats(url: string): Promise<Probe> {
  const address = parseAddress(url, "nats", 4222)
  if ("missing" in address) return address
  return exchange(address.url, undefined, (answer) => {
    const end = answer.indexOf("\r\n")
    if (end === -1) return undefined
    const line = answer.subarray(0, end).toString("utf8")
    if (!line.startsWith("INFO {")) return { missing: `what listens at ${address.url.host} is not a NATS server` }
    return readsJetStream(line.slice("INFO ".length))
      ? { found: url }
      : { missing: `the NATS server at ${address.url.host} runs without JetStream (start it with -js)` }
  })
}

/**
 * Sends PostgreSQL's startup message and reads until the server is ready for queries. When the server wants a password and
 * the address carries one, that counts as found: if it is wrong, the suites fail loudly, which a skip would hide.
 */
export async function probePostgres(url: string): Promise<Probe> {
  const address = parseAddress(url, "postgres", 5432)
  if ("missing" in address) return address
  const { host, password, pathname, username } = address.url
  const user = decodeURIComponent(username) || "postgres"
  const database = decodeURIComponent(pathname.slice(1)) || user
  return exchange(address.url, startupMessage(user, database), (answer) => {
    for (const message of backendMessages(answer)) {
      if (message.type === "E") return { missing: `PostgreSQL at ${host} refuses: ${errorText(message.body)}` }
      if (message.type === "R" && message.body.readInt32BE(0) !== 0) {
        return password ? { found: url } : { missing: `PostgreSQL at ${host} asks user ${user} for a password` }
      }
      if (message.type === "Z") return { found: url }
      if (!"RSKN".includes(message.type)) return { missing: `what listens at ${host} is not PostgreSQL` }
    }
    return undefined
  })
}

/**
 * Sends `PING` and reads the answer. As with PostgreSQL, a server that wants a password counts as found when the address carries one.
 * `url`: `redis://[user[:password]@]host:port[/database]`.
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
    if (line.startsWith("-NOAUTH")) return password ? { found: url } : { missing: `Redis at ${host} asks for a password` }
    return { missing: line.startsWith("-") ? `Redis at ${host} refuses: ${line.slice(1)}` : `what listens at ${host} is not Redis` }
  })
}

/** The first of `candidates` that is an executable file. */
export function probeExecutable(candidates: ReadonlyArray<string>): Probe {
  const found = candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return statSync(path).isFile()
    } catch {
      return false // not there or not for us: either way not usable, and the next candidate may be
    }
  })
  return found === undefined ? { missing: `none of ${candidates.join(", ")} is an executable` } : { found }
}

/** `path` when it is a directory. */
export function probeDirectory(path: string): Probe {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? { found: path } : { missing: `${path} is not a directory` }
}

function parseAddress(url: string, scheme: string, defaultPort: number): { readonly url: URL } | { readonly missing: string } {
  const text = url.includes("://") ? url : `${scheme}://${url}`
  // The address may carry a password, so the reason never repeats it.
  if (!URL.canParse(text)) return { missing: `its address is not of the form ${scheme}://host:${defaultPort}` }
  const parsed = new URL(text)
  if (parsed.port === "") parsed.port = String(defaultPort)
  return { url: parsed }
}

/** Connects, sends `hello`, and hands all bytes received so far to `read` until it returns a verdict or time is up. */
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
      else if (answer.length > longestAnswerBytes) settle({ missing: `the answer from ${url.host} makes no sense` })
    })
    socket.on("error", (error: NodeJS.ErrnoException) =>
      settle({ missing: `nothing answers at ${url.host} (${error.code ?? error.message})` }),
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

/** Protocol 3.0: length, version, then key/value pairs of zero-ended strings, ended by an empty one. */
function startupMessage(user: string, database: string): Buffer {
  const pairs = Buffer.from(`user\0${user}\0database\0${database}\0\0`, "utf8")
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + pairs.length, 0)
  head.writeInt32BE(0x0003_0000, 4)
  return Buffer.concat([head, pairs])
}

/** The whole messages in `bytes`: one letter, a length that counts itself, the body. */
function* backendMessages(bytes: Buffer): Generator<{ readonly type: string; readonly body: Buffer }> {
  let at = 0
  while (at + 5 <= bytes.length) {
    const end = at + 1 + Math.max(4, bytes.readInt32BE(at + 1))
    // Half a message of the right kind may be completed by the next chunk; of a wrong kind it never will.
    const type = String.fromCharCode(bytes.readUInt8(at))
    if (end > bytes.length) {
      if (!"ERSKNZ".includes(type)) yield { type, body: Buffer.alloc(0) }
      return
    }
    yield { type, body: bytes.subarray(at + 5, end) }
    at = end
  }
}

/** The field `M` (message) of an ErrorResponse. */
function errorText(body: Buffer): string {
  const field = body
    .toString("utf8")
    .split("\0")
    .find((part) => part.startsWith("M"))
  return field?.slice(1) ?? "without a reason"
}
