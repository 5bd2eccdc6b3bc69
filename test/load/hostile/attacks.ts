// Owns the actions of hostile clients: each attack is one request, or one connection, and returns its outcome.
import { connect } from "node:net"
import { ADMIN_TOKEN_HEADER } from "@matchpoint/contracts/http/admin/AdminApi"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { WebSocket } from "ws"

export interface Target {
  readonly port: number
  /** A valid key, for attacks that use one. */
  readonly key: string
}

/** Resolves to the outcome of the attack: a status, a close code, or `closed`. */
export type Attack = (target: Target) => Promise<string>

/** Builds the headers of an attack. */
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
  (path: string, headers: Headers, body: string): Attack =>
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

/** Writes bytes and waits for the end of the connection, or for the first bytes received. */
const raw =
  (bytes: string): Attack =>
  ({ port }) =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
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
  (path: string, headers: Headers, message: string | ((nth: number) => string), times: number, withinMs = TIMEOUT_MS): Attack =>
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

const LIVE_SOCKET = "/api/v1/cs2/live/ws"
const wrongFeedToken = fixedHeaders({ [FEED_TOKEN_HEADER]: "wrong" })
const wrongAdminToken = fixedHeaders({ [ADMIN_TOKEN_HEADER]: "wrong", "content-type": "application/json" })

/** Attacks by name. Clients take them in turns. */
export const attacks: Readonly<Record<string, Attack>> = {
  "rpc, many calls, no key": post("/rpc", noHeaders, manyCalls),
  "rpc, many calls, with key": post("/rpc", withKey, manyCalls),
  "rpc, 64 calls, with key": post("/rpc", withKey, mostCalls),
  "rpc, deep, with key": post("/rpc", withKey, deep),
  "rpc socket, many calls": sendRepeatedly("/rpc/ws", withKey, (nth) => calls(64, nth * 64), 20, 2_000),
  "feed, log without token": post("/feed/v1/matches/cs2-match-1/log", wrongFeedToken, big),
  "feed, wrong token in the body": post("/feed/v1/matches/cs2-match-1/gsi", noHeaders, gsi),
  "feed, deep": post("/feed/v1/matches/cs2-match-1/gsi", noHeaders, deep),
  "admin, wrong token": post("/admin/v1/accounts", wrongAdminToken, big),
  "socket, flood": sendRepeatedly(LIVE_SOCKET, withKey, '{"action":"ping"}', 500),
  "socket, nonsense": sendRepeatedly(LIVE_SOCKET, withKey, deep.slice(0, 8_000), 50),
  "socket, too big": sendRepeatedly(LIVE_SOCKET, withKey, big.slice(0, 100_000), 5),
  "socket, unknown key": sendRepeatedly(LIVE_SOCKET, fixedHeaders({ "x-api-key": "nobody" }), "", 0),
  "body that never comes": raw("POST /rpc HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n{"),
  "head that never ends": raw("GET /api/v1/cs2/live HTTP/1.1\r\nhost: x\r\n"),
  pipelined: raw("GET /api/v1/cs2/live HTTP/1.1\r\nhost: x\r\n\r\n".repeat(200)),
}
