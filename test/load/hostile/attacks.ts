// Owns the actions of hostile clients: each is one request, or a bounded number of connections, and returns its outcome.
// An attack is a group of actions that a hostile client does in turns.
import { connect } from "node:net"
import { ADMIN_TOKEN_HEADER } from "@matchpoint/contracts/http/admin/AdminApi"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { WebSocket } from "ws"

export interface Target {
  readonly port: number
  /** A valid key, for actions that use one. */
  readonly key: string
  /** A valid token of the feeds, for registrations. */
  readonly feedToken: string
}

/** Resolves to the outcome of the action: a status, a close code, or `closed`. */
export type Action = (target: Target) => Promise<string>

/** Builds the headers of an action. */
type Headers = (target: Target) => Record<string, string>

const TIMEOUT_MS = 15_000
const MB = 1024 * 1024

const call = (id: number) => `{"_tag":"Request","id":"${id}","tag":"ListLive","payload":null,"headers":[]}\n`
/** Builds calls with different ids, as required of calls that run at the same time. */
const calls = (count: number, from = 0) => Array.from({ length: count }, (_, index) => call(from + index)).join("")

/** About a megabyte. */
const manyCalls = calls(13_000)
const mostCalls = calls(64)
const deep = "[".repeat(100_000) + "]".repeat(100_000)
const big = "x".repeat(MB)
const gsi = JSON.stringify({ auth: { token: "wrong" }, filler: "x".repeat(250_000) })

const noHeaders: Headers = () => ({})
const withKey: Headers = ({ key }) => ({ "x-api-key": key })
const fixedHeaders =
  (headers: Record<string, string>): Headers =>
  () =>
    headers

const post =
  (path: string, headers: Headers, body: string): Action =>
  async (target) => {
    const response = await fetch(`http://127.0.0.1:${target.port}${path}`, {
      method: "POST",
      headers: headers(target),
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.arrayBuffer()
    return String(response.status)
  }

const get =
  (pathOf: () => string): Action =>
  async ({ key, port }) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${pathOf()}`, {
      headers: { "x-api-key": key },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.arrayBuffer()
    return String(response.status)
  }

/** Writes bytes and waits for the end of the connection, or for the first bytes received. */
const raw =
  (bytesOf: (target: Target) => string): Action =>
  (target) =>
    new Promise((resolve) => {
      const socket = connect(target.port, "127.0.0.1", () => socket.write(bytesOf(target)))
      const done = (outcome: string) => {
        socket.destroy()
        resolve(outcome)
      }
      socket.setTimeout(TIMEOUT_MS, () => done("timeout"))
      socket.on("data", (data) => done(data.toString("latin1").split(" ", 2)[1] ?? "bytes"))
      socket.on("error", () => done("closed"))
      socket.on("close", () => done("closed"))
    })

/** Opens a WebSocket, sends `message` that many times, and waits until the server closes it, at most `withinMs`. */
const sendRepeatedly =
  (path: string, headers: Headers, message: string | ((nth: number) => string), times: number, withinMs = TIMEOUT_MS): Action =>
  (target) =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${target.port}${path}`, { headers: headers(target) })
      const timer = setTimeout(() => socket.terminate(), withinMs)
      socket.on("open", () => {
        for (let sent = 0; sent < times; sent++) socket.send(typeof message === "string" ? message : message(sent))
      })
      socket.on("unexpected-response", (_request, response) => {
        response.resume()
        socket.terminate()
        resolve(String(response.statusCode))
      })
      socket.on("error", () => {})
      socket.on("close", (code) => {
        clearTimeout(timer)
        resolve(String(code))
      })
    })

/** Opens several connections that each send most of a body and then nothing. They are kept for some seconds. */
const unfinishedBodies: Action = async ({ key, port }) => {
  const head = `POST /rpc HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-length: 1000000\r\n\r\n`
  const outcomes = Array.from(
    { length: UNFINISHED },
    () =>
      new Promise<string>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(head + big.slice(0, 990_000)))
        const done = (outcome: string) => {
          socket.destroy()
          resolve(outcome)
        }
        setTimeout(() => done("kept"), UNFINISHED_MS).unref()
        socket.on("data", (data) => done(data.toString("latin1").split(" ", 2)[1] ?? "bytes"))
        socket.on("error", () => done("closed"))
        socket.on("close", () => done("closed"))
      }),
  )
  return [...new Set(await Promise.all(outcomes))].sort().join(" and ")
}

/** With 40 clients, 600 bodies at once. */
const UNFINISHED = 15
const UNFINISHED_MS = 5_000
/** Chunks of one byte in a body. */
const CHUNKS = 50_000
const tinyChunks = "1\r\n1\r\n".repeat(CHUNKS)

const chunked = (path: string, headersOf: Headers): Action =>
  raw((target) => {
    const headers = Object.entries(headersOf(target)).map(([name, value]) => `${name}: ${value}\r\n`)
    return `POST ${path} HTTP/1.1\r\nhost: x\r\n${headers.join("")}transfer-encoding: chunked\r\n\r\n${tinyChunks}`
  })

/** Makes texts and numbers of requests differ, so that no cache answers them. */
let turn = 0
const next = (): number => (turn += 1)
const letters = "aeioubcdfgklmnprst"
const word = (): string => {
  const n = next()
  const letterAt = (place: number) => letters[(n * 7 + place * (n % 11) + Math.floor(n / 18 ** place)) % letters.length]
  return Array.from({ length: 5 }, (_, place) => letterAt(place)).join("")
}

const LIVE_SOCKET = "/api/v1/cs2/live/ws"
const wrongFeedToken = fixedHeaders({ [FEED_TOKEN_HEADER]: "wrong" })
const wrongAdminToken = fixedHeaders({ [ADMIN_TOKEN_HEADER]: "wrong", "content-type": "application/json" })
const rooms = ["all"]
const subscribing = (nth: number): string =>
  JSON.stringify(nth % 2 === 0 ? { action: "subscribe", rooms, shape: nth % 4 === 0 ? "v1" : "v2" } : { action: "unsubscribe", rooms })
const resuming = (nth: number): string => {
  const resume = { all: { epoch: 1, seq: 1, position: nth + 1 } }
  return JSON.stringify({ action: "subscribe", rooms, shape: nth % 2 === 0 ? "v1" : "v2", resume })
}

const register: Action = (target) =>
  post(
    "/feed/v1/matches",
    fixedHeaders({ [FEED_TOKEN_HEADER]: target.feedToken, "content-type": "application/json" }),
    JSON.stringify({ bestOf: 1, eventName: "Hostile Cup", teams: [{ name: `Red ${word()}` }, { name: `Blue ${word()}` }] }),
  )(target)

/** Groups of actions by the name of the attack, each action with a name. */
export const attacks = {
  rpc: {
    "rpc, many calls, no key": post("/rpc", noHeaders, manyCalls),
    "rpc, many calls, with key": post("/rpc", withKey, manyCalls),
    "rpc, 64 calls, with key": post("/rpc", withKey, mostCalls),
    "rpc, deep, with key": post("/rpc", withKey, deep),
    "rpc, empty lines, with key": post("/rpc", withKey, "\n".repeat(MB)),
    "rpc socket, many calls": sendRepeatedly("/rpc/ws", withKey, (nth) => calls(64, nth * 64), 20, 2_000),
  },
  tokens: {
    "feed, log without token": post("/feed/v1/matches/cs2-match-1/log", wrongFeedToken, big),
    "feed, wrong token in the body": post("/feed/v1/matches/cs2-match-1/gsi", noHeaders, gsi),
    "feed, deep": post("/feed/v1/matches/cs2-match-1/gsi", noHeaders, deep),
    "admin, wrong token": post("/admin/v1/accounts", wrongAdminToken, big),
    "socket, unknown key": sendRepeatedly(LIVE_SOCKET, fixedHeaders({ "x-api-key": "nobody" }), "", 0),
  },
  floods: {
    "socket, flood": sendRepeatedly(LIVE_SOCKET, withKey, '{"action":"ping"}', 500),
    "socket, nonsense": sendRepeatedly(LIVE_SOCKET, withKey, deep.slice(0, 8_000), 50),
    "socket, too big": sendRepeatedly(LIVE_SOCKET, withKey, big.slice(0, 100_000), 5),
  },
  chunks: {
    "gsi, tiny chunks": chunked("/feed/v1/matches/cs2-match-1/gsi", noHeaders),
    "rpc, tiny chunks, with key": chunked("/rpc", withKey),
  },
  pipelining: {
    "pipelined, no key": raw(() => "GET /api/v1/cs2/live HTTP/1.1\r\nhost: x\r\n\r\n".repeat(200)),
    "pipelined, with key": raw(({ key }) => `GET /api/v1/cs2/live HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`.repeat(200)),
  },
  subscriptions: {
    "socket, subscribes and unsubscribes": sendRepeatedly(LIVE_SOCKET, withKey, subscribing, 400, 3_000),
  },
  resumes: {
    "socket, resumes": sendRepeatedly(LIVE_SOCKET, withKey, resuming, 400, 3_000),
  },
  search: {
    "cs2 search": get(() => `/cs2/search?q=${word()}`),
    "tennis search": get(() => `/tennis/players/search?q=${word()}`),
    "cod search": get(() => `/cod/search?q=${word()}`),
    "apex search": get(() => `/apex/algs/players/search?q=${word()}`),
  },
  pages: {
    "cs2 deepest page": get(() => `/cs2/matches?page=${9_000 + (next() % 1_000)}`),
    "tennis deepest page": get(() => `/tennis/matches?page=${9_000 + (next() % 1_000)}`),
    "cod deepest page": get(() => `/cod/matches?offset=${900_000 + (next() % 1_000)}`),
    "apex deepest page": get(() => `/apex/algs/matches?offset=${900_000 + (next() % 1_000)}`),
  },
  qr: {
    "png of 2,000 px": get(() => `/qr/generate?size=2000&data=${word().repeat(100)}${next()}`),
    "svg of 2,000 px": get(() => `/qr/generate?size=2000&format=svg&data=${word().repeat(100)}${next()}`),
  },
  registrations: { register },
  unfinished: {
    "head that never ends": raw(() => "GET /api/v1/cs2/live HTTP/1.1\r\nhost: x\r\n"),
    "body that never comes": raw(() => "POST /rpc HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n{"),
    "bodies of 990 KB that never end": unfinishedBodies,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Action>>>>

export type AttackName = keyof typeof attacks
export const attackNames = Object.keys(attacks) as ReadonlyArray<AttackName>
