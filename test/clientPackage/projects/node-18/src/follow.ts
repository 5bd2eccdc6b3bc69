/** Prints ten changes as lines of JSON. Argument: `websocket`, `sse`, or `none` to use neither. */
import { type Cs2Match, createClient, LiveError, RequestError } from "@matchpoint/client"
import { WebSocket } from "ws"

const [, , way] = process.argv
const client = createClient({
  baseUrl: process.env["MATCHPOINT_URL"] ?? "",
  apiKey: process.env["MATCHPOINT_KEY"] ?? "",
  ...(way === "websocket" ? { webSocket: (url, headers) => new WebSocket(url, { headers }) } : {}),
})

const score = ({ team1, team2 }: Cs2Match): string => `${team1.name} ${team1.mapScore}:${team2.mapScore} ${team2.name}`

try {
  const { data, meta } = await client.get("/cs2/live", { query: { limit: 10 } })
  const [first] = data
  if (first === undefined) throw new Error("no match is live")
  const total: number = meta.total
  const { data: usage } = await client.get("/usage")
  const plan: "free" | "starter" | "pro" | "business" | "scale" | "enterprise" = usage.plan
  console.log(total, plan, first.team1Name)

  let count = 0
  for await (const { base, events, match, matchId, seq } of client.live.all({ transport: way === "sse" ? "sse" : "auto" })) {
    const types: ReadonlyArray<string> = events.map((event) => event.eventType)
    console.log(JSON.stringify({ matchId, seq, base, score: score(match), types }))
    count += 1
    if (count === 10) break
  }
} catch (error) {
  if (error instanceof LiveError) {
    console.error(`${error.reason}: ${error.message}`)
    process.exitCode = 3
  } else if (error instanceof RequestError) {
    console.error(`${error.status} ${error.code}: ${error.message}`)
    process.exitCode = 4
  } else throw error
}
