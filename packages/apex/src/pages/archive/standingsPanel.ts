/** Standings after each game, and the placements as a heat table. The visitor selects the game. */
import { panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { count, nothing, scrolled } from "@matchpoint/game/pages/archive/sectionParts"
import { h, setAttribute } from "@matchpoint/game/pages/parts/dom"
import type { Scores, Standing } from "./types.ts"
import { gapWords } from "./words.ts"

export interface StandingAfter {
  readonly rank: number
  readonly teamName: string
  readonly points: number
  /** Sum of the games so far. Null if a game has no known kills. */
  readonly kills: number | null
  /** Points of the last of these games. */
  readonly lastPoints: number | null
}

/** Teams that had not played by game `gameNumber` are left out. */
export const standingsAfter = (standings: ReadonlyArray<Standing>, gameNumber: number): ReadonlyArray<StandingAfter> =>
  standings
    .flatMap(({ games, teamName }) => {
      const played = games.filter((game) => game.gameNumber <= gameNumber)
      const last = played.at(-1)
      if (last === undefined) return []
      const kills = played.reduce<number | null>((sum, game) => (sum === null || game.kills === null ? null : sum + game.kills), 0)
      return [
        {
          rank: last.rankAfter,
          teamName,
          points: last.totalPoints,
          kills,
          lastPoints: last.gameNumber === gameNumber ? last.points : null,
        },
      ]
    })
    .sort((a, b) => a.rank - b.rank)

export const gameNumbers = (standings: ReadonlyArray<Standing>): ReadonlyArray<number> =>
  [...new Set(standings.flatMap(({ games }) => games.map(({ gameNumber }) => gameNumber)))].sort((a, b) => a - b)

export const standingsPanel = ({ reasons, standings }: Scores) => {
  if (standings.length === 0) return panel("Standings", nothing(gapWords(reasons, "standings")))
  const numbers = gameNumbers(standings)
  const shown = h("div", { class: "wide" }, finalTable(standings))
  const final = gameButton("Final", () => finalTable(standings))
  const buttons = [...numbers.slice(0, -1).map((game) => gameButton(`Game ${game}`, () => tableAfter(standings, game))), final]
  for (const { element, show } of buttons) {
    element.addEventListener("click", () => {
      for (const other of buttons) setAttribute(other.element, "aria-pressed", String(other.element === element))
      shown.replaceChildren(show())
    })
  }
  setAttribute(final.element, "aria-pressed", "true")
  const choice = h(
    "div",
    { class: "choices", role: "group", "aria-label": "Standings after" },
    h("span", { class: "beside", "aria-hidden": "true" }, "After"),
    ...buttons.map(({ element }) => element),
  )
  return panel("Standings", ...(numbers.length > 1 ? [choice] : []), shown)
}

const gameButton = (text: string, show: () => HTMLElement) => ({
  element: h("button", { type: "button", "aria-pressed": "false" }, text),
  show,
})

const finalTable = (standings: ReadonlyArray<Standing>) =>
  table(
    ["Rank", "Team", "Points", "Kills", "Best game", "Wins"],
    standings.map(({ hms, kills, points, rank, teamName, wins }) => [
      String(rank),
      teamName,
      h("strong", {}, count(points)),
      count(kills),
      count(hms),
      count(wins),
    ]),
    "Final standings",
  )

const tableAfter = (standings: ReadonlyArray<Standing>, game: number) =>
  table(
    ["Rank", "Team", "Points", "Kills", "This game"],
    standingsAfter(standings, game).map(({ kills, lastPoints, points, rank, teamName }) => [
      String(rank),
      teamName,
      h("strong", {}, count(points)),
      count(kills),
      lastPoints === null ? "–" : `+${lastPoints}`,
    ]),
    `Standings after game ${game}`,
  )

/** Teams of a full lobby: the coldest placement. */
const LAST_PLACE = 20

/** The better the placement, the stronger the colour. */
export const placementsPanel = ({ reasons, standings }: Scores) => {
  const isKnown = standings.some(({ games }) => games.some(({ placement }) => placement !== null))
  if (!isKnown) return panel("Placements", nothing(gapWords(reasons, "placements")))
  const numbers = gameNumbers(standings)
  return panel(
    "Placements",
    scrolled(
      "Placements of each game",
      h(
        "table",
        { class: "heat" },
        h("caption", { class: "unseen" }, "Placement and kills of each team in each game"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Team"),
            ...numbers.map((game) => h("th", { scope: "col", title: `Game ${game}` }, String(game))),
          ),
        ),
        h(
          "tbody",
          {},
          ...standings.map(({ games, teamName }) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, teamName),
              ...numbers.map((number) => heatCell(games.find(({ gameNumber }) => gameNumber === number))),
            ),
          ),
        ),
      ),
    ),
    h("p", { class: "hint" }, "Placement, with the kills as a small number. The winner of a game has the strongest colour."),
  )
}

const heatCell = (game: Standing["games"][number] | undefined) => {
  if (game === undefined || game.placement === null) return h("td", {}, "–")
  const { kills, placement, points } = game
  const cell = h("td", { title: `${points} points` }, String(placement), ...(kills === null ? [] : [h("sup", {}, String(kills))]))
  if (placement === 1) cell.setAttribute("data-first", "")
  cell.style.setProperty("--heat", heatOf(placement).toFixed(2))
  return cell
}

/** 1 for the first place and 0 for the last one. */
export const heatOf = (placement: number) => Math.max(0, (LAST_PLACE - placement) / (LAST_PLACE - 1))
