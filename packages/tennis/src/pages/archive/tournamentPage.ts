import { type Client, RequestError } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { joined, panel, row, table } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { linkTo } from "../links.ts"
import type { Draw, DrawMatch, Tournament } from "../types.ts"
import { levelName, roundName } from "../words.ts"
import { entryText, playerLink } from "./archiveParts.ts"
import { bracket } from "./bracket.ts"

export const tournamentPage = async (client: Client, tournamentId: string): Promise<Page> => {
  const params = { tournamentId }
  const [tournament, draw] = await Promise.all([
    client.get("/tennis/tournaments/:tournamentId", { params }),
    client.get("/tennis/tournaments/:tournamentId/draw", { params }).catch(noDraw),
  ])
  const { name, year } = tournament.data
  return { title: `${name ?? tournamentId} ${year}`, element: tournamentView(tournament.data, draw?.data) }
}

const noDraw = (error: unknown) => {
  if (error instanceof RequestError && error.status === 404) return undefined
  throw error
}

const tournamentView = (tournament: Tournament, draw: Draw | undefined) =>
  h(
    "article",
    { class: "entity tennis" },
    h("h1", {}, `${tournament.name ?? tournament.id} ${tournament.year}`),
    h("p", { class: "about" }, aboutWords(tournament)),
    championLine(tournament),
    yearsPanel(tournament),
    ...(draw === undefined ? [panel("Draw", h("p", { class: "beside" }, "There is no draw."))] : drawPanels(draw)),
  )

const aboutWords = ({ draw_size, ends_on, level, location, matches, starts_on, surface, tour }: Tournament) =>
  joined([
    tour,
    levelName(level),
    surface,
    location.country,
    ends_on === null ? `from ${starts_on}` : `${starts_on} – ${ends_on}`,
    draw_size === null ? null : `draw of ${draw_size}`,
    `${matches} matches`,
  ])

const championLine = ({ champion, champion_reason, final_score, finalist }: Tournament) => {
  if (champion === null) {
    const why = champion_reason === "team_event" ? "A team competition." : "The final is not in the archive, or not played yet."
    return h("p", { class: "champion" }, why)
  }
  const loser = finalist === null ? [] : [" beat ", playerLink(finalist), ` in the final${final_score === null ? "" : `, ${final_score}`}`]
  return h("p", { class: "champion" }, h("strong", {}, "Champion: ", playerLink(champion)), ...loser)
}

const reasons = {
  team_event: "Team competitions have no draw.",
  no_matches_of_the_main_draw: "The archive has no match of the main draw.",
}

const completeness = {
  complete: null,
  possible_gaps: "Some places may be byes or matches that are not in the archive.",
  unfinished: "The last matches of this draw are not played yet, or not in the archive.",
  gaps: "Some matches of this draw are not in the archive.",
}

const drawPanels = (draw: Draw): ReadonlyArray<HTMLElement> => {
  const places = draw.rounds.flatMap((round) => round.places)
  const known = places.filter(({ match_id }) => match_id !== null).length
  const note =
    draw.reason !== null
      ? reasons[draw.reason]
      : draw.completeness === "unfinished" || draw.completeness === "gaps"
        ? `${completeness[draw.completeness]} It has ${known} of them.`
        : completeness[draw.completeness]
  const isUncertain = draw.rounds.some(({ places }) => places.some(({ is_certain }) => !is_certain))
  const words = [note, isUncertain ? "The place of matches with a dashed border is not certain." : null].filter((text) => text !== null)
  const notes = words.length === 0 ? [] : [h("p", { class: "beside" }, words.join(" "))]
  const main = [...notes, ...(draw.rounds.length === 0 ? [] : [bracket(draw.rounds, "Main draw")])]
  return [
    ...(main.length === 0 ? [] : [panel("Draw", ...main)]),
    ...draw.groups.map(groupPanel),
    ...(draw.qualifying.length === 0 ? [] : [panel("Qualifying", bracket(draw.qualifying, "Qualifying"))]),
    ...matchesPanel("Challenge round", draw.challenge_round === null ? [] : [draw.challenge_round]),
    ...matchesPanel("Third place", draw.third_place),
    ...matchesPanel("Before the first round", draw.preliminary),
    ...matchesPanel("Other matches", draw.unplaced),
  ]
}

const groupPanel = ({ matches, players }: Draw["groups"][number], index: number) =>
  panel(
    `Group ${index + 1}`,
    table(
      ["Player", "Played", "Won", "Lost"],
      players.map(({ lost, played, player, won }) => [
        h("span", {}, playerLink(player), entryText(player)),
        String(played),
        String(won),
        String(lost),
      ]),
      `Group ${index + 1}`,
    ),
    h("ul", {}, ...matches.map(matchItem)),
  )

const matchItem = ({ loser, match_id, round, score, winner }: DrawMatch) =>
  row(linkTo("matches", match_id, `${winner.name ?? winner.id} – ${loser.name ?? loser.id}`), [score, roundName(round)])

const matchesPanel = (title: string, matches: ReadonlyArray<DrawMatch>) =>
  matches.length === 0 ? [] : [panel(title, h("ul", {}, ...matches.map(matchItem)))]

const yearsPanel = ({ editions }: Tournament) =>
  panel(
    "Years",
    h(
      "div",
      { class: "years", tabindex: "0", role: "region", "aria-label": "Years" },
      table(
        ["Year", "Champion", "Finalist", "Score"],
        editions.map(({ champion, final_score, finalist, id, year }) => [
          linkTo("tournaments", id, String(year)),
          champion === null ? "–" : playerLink(champion),
          finalist === null ? "–" : playerLink(finalist),
          final_score ?? "–",
        ]),
        "Years of the competition",
        "texts",
      ),
    ),
  )
