import { createClient } from "@matchpoint/client"

const client = createClient({ baseUrl: "http://localhost:8080", apiKey: "mp_dev_pro" })
const { data } = await client.get("/cs2/live")
console.log(data.map((match) => match.matchId))

for await (const { events, match, matchId, seq } of client.live.all()) {
  console.log(matchId, seq, `${match.team1.mapScore}:${match.team2.mapScore}`, events.map((event) => event.eventType).join(" "))
}
