import { table } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { linkTo } from "../links.ts"
import type { MatchRow } from "../types.ts"
import { roundName } from "../words.ts"

/** The API's percentages have one decimal: `61.4%`. */
export const percentText = (value: number | null) => (value === null ? "–" : `${value}%`)

export const known = (value: number | string | null) => (value === null ? "–" : String(value))

interface Named {
  readonly id: string
  readonly name: string | null
}

export const playerLink = ({ id, name }: Named) => linkTo("players", id, name ?? id)

/** Seed or entry type in brackets, such as `(1)` or `(WC)`. */
export const entryText = ({ entry, seed }: { readonly seed: string | null; readonly entry: string | null }) => {
  const parts = [seed, entry].filter((part) => part !== null && part !== "")
  return parts.length === 0 ? "" : ` (${parts.join(" ")})`
}

/** `from` the tournament's first day if the day of the match is not known. */
export const dayText = ({ date, date_is_tournament_start }: Pick<MatchRow, "date" | "date_is_tournament_start">) =>
  date_is_tournament_start ? `from ${date}` : date

export const scoreText = ({ score, status }: Pick<MatchRow, "score" | "status">) => (score.text === "" ? status : score.text)

const tournamentLink = ({ tournament }: MatchRow) => linkTo("tournaments", tournament.id, tournament.name ?? tournament.id)

export const matchTable = (matches: ReadonlyArray<MatchRow>, caption: string) =>
  table(
    ["Date", "Winner", "Loser", "Score", "Round", "Tournament"],
    matches.map((match) => [
      dayText(match),
      playerLink(match.winner),
      playerLink(match.loser),
      linkTo("matches", match.id, scoreText(match)),
      roundName(match.round),
      tournamentLink(match),
    ]),
    caption,
    "texts",
  )

/** Table of the matches of one player, with the opponents. */
export const matchLog = (matches: ReadonlyArray<MatchRow>, playerId: string, caption: string) =>
  table(
    ["Date", "", "Opponent", "Score", "Round", "Tournament", "Surface"],
    matches.map((match) => {
      const isWon = match.winner.id === playerId
      const result = h("span", { class: isWon ? "won" : "lost", title: isWon ? "won" : "lost" }, isWon ? "W" : "L")
      const opponent = isWon ? match.loser : match.winner
      return [
        dayText(match),
        result,
        h("span", {}, playerLink(opponent), entryText(opponent)),
        linkTo("matches", match.id, scoreText(match)),
        roundName(match.round),
        tournamentLink(match),
        known(match.tournament.surface),
      ]
    }),
    caption,
    "texts",
  )
