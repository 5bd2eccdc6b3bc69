import type { ArchiveSection } from "@matchpoint/game/pages/archive/ArchiveSection"
import { row } from "@matchpoint/game/pages/archive/archiveParts"
import { linkTo, matchRow } from "./archiveParts.ts"
import { eventView } from "./eventView.ts"
import { playerView } from "./playerView.ts"
import { resultView } from "./resultView.ts"
import { teamView } from "./teamView.ts"

export const cs2Archive: ArchiveSection = {
  title: "CS2",
  home: [],
  pages: {
    "/teams": async (client, name) => {
      const { data } = await client.get("/cs2/teams/:teamIdOrSlug", { params: { teamIdOrSlug: name } })
      return { title: data.name, element: teamView(data) }
    },
    "/players": async (client, name) => {
      const { data } = await client.get("/cs2/players/:playerIdOrSlug", { params: { playerIdOrSlug: name } })
      return { title: data.nickname, element: playerView(data) }
    },
    "/matches": async (client, name) => {
      const { data } = await client.get("/cs2/matches/:matchId", { params: { matchId: name } })
      return { title: `${data.team1Name} – ${data.team2Name}`, element: resultView(data) }
    },
    "/events": async (client, name) => {
      const params = { eventId: name }
      const query = { limit: 100 }
      const [event, participants, matches] = await Promise.all([
        client.get("/cs2/events/:eventIdOrSlug", { params: { eventIdOrSlug: name } }),
        client.get("/cs2/events/:eventId/participants", { params, query }),
        client.get("/cs2/events/:eventId/matches", { params, query }),
      ])
      return { title: event.data.name, element: eventView(event.data, participants.data, matches.data) }
    },
  },
  search: async (client, question) => {
    const { data } = await client.get("/cs2/search", { query: { q: question } })
    return [
      { title: "Teams", items: data.teams.map((one) => row(linkTo("teams", one.slug, one.name), [one.teamTag, one.countryName])) },
      {
        title: "Players",
        items: data.players.map((one) => row(linkTo("players", one.slug, one.nickname), [one.realName, one.countryName])),
      },
      { title: "Events", items: data.events.map((one) => row(linkTo("events", one.slug, one.name), [one.status, one.location])) },
      { title: "Matches", items: data.matches.map(matchRow) },
    ]
  },
}
