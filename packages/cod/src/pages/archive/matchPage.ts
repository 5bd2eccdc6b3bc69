import { type Client, RequestError } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { archivedOrLive } from "@matchpoint/game/pages/archive/archivedOrLive"
import { joined, panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { count, nothing, simulatedMark } from "@matchpoint/game/pages/archive/sectionParts"
import { h, setAttribute } from "@matchpoint/game/pages/parts/dom"
import { clockText, decimal } from "@matchpoint/game/pages/parts/format"
import { codNav, linkTo, tournamentPath } from "./links.ts"
import { startText } from "./matchTables.ts"
import type { MapPlayers, MapResult, MatchDetail, PlayerTotals } from "./types.ts"

export const matchPage = (client: Client, matchId: string): Promise<Page> =>
  archivedOrLive(matchId, "cod", "match", async () => {
    const params = { matchId }
    const [detail, maps] = await Promise.all([
      client.get("/cod/matches/:matchId", { params }),
      client.get("/cod/matches/:matchId/maps", { params }),
    ])
    const { team1, team2 } = detail.data
    return { title: `${team1.name} – ${team2.name}`, element: matchView(client, detail.data, maps.data) }
  })

const matchView = (client: Client, match: MatchDetail, maps: ReadonlyArray<MapResult>) => {
  const { team1, team1Score, team2, team2Score, tournament } = match
  return h(
    "article",
    { class: "entity cod" },
    codNav(),
    h(
      "h1",
      {},
      linkTo("teams", team1.slug, team1.name),
      match.status === "scheduled" ? " – " : ` ${count(team1Score)} : ${count(team2Score)} `,
      linkTo("teams", team2.slug, team2.name),
    ),
    h(
      "p",
      { class: "about" },
      h("a", { href: tournamentPath(tournament.id) }, tournament.name),
      " · ",
      joined([
        match.round,
        startText({ startsAt: match.matchDate, startTimeKnown: match.startTimeKnown }),
        match.bestOf === null ? null : `best of ${match.bestOf}`,
        match.status,
        match.scoreReason === null || match.scoreReason === "not_over" ? null : "score unknown: the source lacks maps",
      ]),
      ...(match.source === "simulator" ? [" ", simulatedMark()] : []),
    ),
    panel("Maps", match.maps.length === 0 ? nothing("No map has been played, or the source does not list them.") : mapsTable(match, maps)),
    playersPanel(client, match, maps),
  )
}

const mapsTable = (match: MatchDetail, results: ReadonlyArray<MapResult>) =>
  table(
    ["Map", "Name", "Mode", match.team1.name, match.team2.name, "Duration", "Picked by"],
    match.maps.map((map) => {
      const result = results.find(({ mapNumber }) => mapNumber === map.mapNumber)
      const score = (slug: string, points: number | null) =>
        h("span", result?.winner === slug ? { class: "set-won" } : {}, map.played ? count(points) : "–")
      return [
        String(map.mapNumber),
        map.mapName,
        map.gameMode,
        score(match.team1.slug, map.team1Score),
        score(match.team2.slug, map.team2Score),
        result?.duration ?? "–",
        [match.team1, match.team2].find(({ slug }) => slug === map.pickedBy)?.name ?? "–",
      ]
    }),
    "Maps with scores",
    "texts",
  )

/** Buttons select a map, whose statistics are then read. */
const playersPanel = (client: Client, match: MatchDetail, maps: ReadonlyArray<MapResult>) => {
  if (match.playerStats.length === 0) return panel("Players", nothing("The source of this match has no statistics of players."))
  const shown = h("div", { class: "wide", "aria-live": "polite" }, totalsTables(match))
  const buttons: Array<HTMLButtonElement> = []
  const choice = (text: string, read: () => Promise<Node>) => {
    const button = h("button", { type: "button", "aria-pressed": "false" }, text)
    button.addEventListener("click", () => {
      for (const other of buttons) setAttribute(other, "aria-pressed", String(other === button))
      read()
        .catch(failed)
        .then((view) => {
          if (button.getAttribute("aria-pressed") === "true") shown.replaceChildren(view)
        })
    })
    buttons.push(button)
    return button
  }
  const whole = choice("Whole match", () => Promise.resolve(totalsTables(match)))
  setAttribute(whole, "aria-pressed", "true")
  const ofMaps = maps.map(({ gameMode, mapName, mapNumber }) =>
    choice(`${mapNumber}. ${mapName} · ${gameMode}`, async () => {
      const params = { matchId: match.id, mapNumber }
      const { data } = await client.get("/cod/matches/:matchId/maps/:mapNumber/player-stats", { params })
      return mapTable(data)
    }),
  )
  return panel("Players", h("div", { class: "choices", role: "group", "aria-label": "Statistics of" }, whole, ...ofMaps), shown)
}

/** Shown in place of the statistics of a map. */
const failed = (error: unknown): Node => {
  if (!(error instanceof RequestError)) throw error
  return h("p", { class: "refusal", role: "alert" }, error.message)
}

const totalsTables = ({ playerStats, team1, team2 }: MatchDetail) =>
  h(
    "div",
    {},
    ...[team1, team2].map(({ name, slug }) =>
      totalsTable(
        name,
        playerStats.filter(({ teamSlug }) => teamSlug === slug),
      ),
    ),
  )

const totalsTable = (team: string, players: ReadonlyArray<PlayerTotals>) =>
  table(
    [team, "Maps", "Kills", "Deaths", "K/D", "Assists", "Damage", "Hill time", "First bloods", "Plants", "Defuses", "Streak", "Rating"],
    players.map((one) => [
      linkTo("players", one.playerName, one.playerName),
      String(one.mapsPlayed),
      count(one.kills),
      count(one.deaths),
      decimal(one.kd, 2),
      count(one.assists),
      count(one.damage),
      hillText(one.hillTime),
      count(one.firstBloods),
      count(one.plants),
      count(one.defuses),
      count(one.highestStreak),
      decimal(one.ratings.overall, 2),
    ]),
    `Players of ${team}`,
  )

const hillText = (seconds: number | null) => (seconds === null ? "–" : clockText(seconds))

const mapTable = ({ map, players }: MapPlayers) =>
  table(
    ["Player", "Team", "Kills", "Deaths", "K/D", "Damage", "Hill time", "Engagements"],
    players.map(({ damage, deaths, engagements, hillTime, ign, kd, kills, team }) => [
      linkTo("players", ign, ign),
      team,
      count(kills),
      count(deaths),
      decimal(kd, 2),
      count(damage),
      hillText(hillTime),
      count(engagements),
    ]),
    `Players on ${map.mapName}`,
  )
