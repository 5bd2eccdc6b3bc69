/** Compares two teams: their meetings, and their records on each map. */
import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { joined, panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { chosen, filterForm, nothing } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { percent } from "@matchpoint/game/pages/parts/format"
import { codNav, linkTo, TEAMS } from "./links.ts"
import type { MapComparison, TeamMeetings } from "./types.ts"
import { versus } from "./versus.ts"

export const teamComparisonPage = async (client: Client, query: URLSearchParams): Promise<Page> => {
  const [team1, team2] = [chosen(query, "team1"), chosen(query, "team2")]
  const [standings, comparison] = await Promise.all([
    client.get("/cod/cdl/standings"),
    team1 === null || team2 === null ? undefined : readComparison(client, team1, team2),
  ])
  const teams = standings.data.map(({ orgSlug, teamName }) => [orgSlug, teamName] as const)
  const element = h(
    "article",
    { class: "entity cod" },
    codNav(TEAMS),
    h("h1", {}, "Compare teams"),
    filterForm(TEAMS, [
      { name: "team1", label: "First team", any: "Choose a team", options: teams, value: team1 },
      { name: "team2", label: "Second team", any: "Choose a team", options: teams, value: team2 },
    ]),
    ...(comparison ?? [panel("Meetings", nothing("Choose two teams to see their matches and maps."))]),
  )
  return { title: "Compare teams", element }
}

const readComparison = async (client: Client, team1: string, team2: string) => {
  const [meetings, maps] = await Promise.all([
    client.get("/cod/analytics/teams/head-to-head", { query: { team1, team2 } }),
    client.get("/cod/analytics/teams/map-comparison", { query: { teams: [team1, team2] } }),
  ])
  return [...meetingsPanels(meetings.body), mapsPanel(maps.body)]
}

const meetingsPanels = ({ allTime, currentSeason, team1, team2 }: TeamMeetings) => [
  versus(
    [linkTo("teams", team1.slug, team1.name), linkTo("teams", team2.slug, team2.name)],
    [allTime.team1Wins, allTime.team2Wins],
    `maps ${allTime.mapRecord.team1} : ${allTime.mapRecord.team2}`,
  ),
  panel(
    `Season ${currentSeason.season ?? ""}`,
    h("p", {}, `Matches won: ${currentSeason.team1Wins} : ${currentSeason.team2Wins}`),
    h(
      "p",
      { class: "beside" },
      currentSeason.lastMatch === null
        ? "They have not met in this season."
        : joined([`Last match ${currentSeason.lastMatch.date.slice(0, 10)}`, currentSeason.lastMatch.score]),
    ),
  ),
]

const mapsPanel = ({ maps, teams }: MapComparison) =>
  panel(
    "Maps",
    maps.length === 0
      ? nothing("Neither team has played a map within the history of the plan.")
      : table(
          ["Mode", "Map", ...teams.flatMap(({ name }) => [name, "Won %", "Picks"])],
          maps.map(({ gameMode, mapName, teams: records }) => [
            gameMode,
            mapName,
            ...teams.flatMap(({ slug }) => {
              const record = records.find((one) => one.slug === slug)
              return record === undefined || record.played === 0
                ? ["–", "–", "–"]
                : [`${record.wins}–${record.losses}`, percent(record.winPct), String(record.picks)]
            }),
          ]),
          "Records of both teams by map",
          "texts",
        ),
  )
