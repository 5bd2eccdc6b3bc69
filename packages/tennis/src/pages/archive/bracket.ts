/** Bracket of a draw: one column per round, with lines from the places of a round to those that they feed. */
import { h } from "@matchpoint/game/pages/parts/dom"
import { linkTo } from "../links.ts"
import type { DrawPlace, DrawRound, DrawSide } from "../types.ts"
import { roundName } from "../words.ts"
import { entryText, playerLink } from "./archiveParts.ts"
import { rowsOf, spotOf } from "./bracketLayout.ts"

/** The first round is the first column. `label` names the bracket for screen readers. */
export const bracket = (rounds: ReadonlyArray<DrawRound>, label: string) => {
  const element = h(
    "div",
    { class: "draw", role: "region", "aria-label": label, tabindex: "0" },
    ...rounds.map((round, index) =>
      h(
        "section",
        { class: "draw-round", "aria-label": roundName(round.round) },
        h("h3", {}, roundName(round.round)),
        h("ol", {}, ...round.places.map((place) => placeItem(place, index))),
      ),
    ),
  )
  element.style.setProperty("--rows", String(rowsOf(rounds)))
  return element
}

const placeItem = (place: DrawPlace, round: number) => {
  const { position, reason, score } = place
  const { row, span } = spotOf(round, position)
  const result = place.match_id === null ? [gapWords(reason)] : [linkTo("matches", place.match_id, score ?? "Match")]
  const element = h(
    "li",
    { "data-half": position % 2 === 1 ? "upper" : "lower" },
    h(
      "div",
      { class: "draw-place", ...(place.is_certain ? {} : { "data-uncertain": "", title: "The place of this match is not certain" }) },
      ...place.sides.map(sideLine),
      h("span", { class: "draw-score" }, ...result),
    ),
  )
  element.style.setProperty("--row", String(row))
  element.style.setProperty("--span", String(span))
  return element
}

const sideLine = ({ is_winner, player, reason }: DrawSide) => {
  const winner = is_winner ? { "data-winner": "" } : {}
  if (player === null) return h("span", { class: "draw-side", ...winner }, reason === "bye" ? "Bye" : "–")
  const marks = entryText(player).trim()
  return h(
    "span",
    { class: "draw-side", ...winner },
    h("span", { class: "draw-name" }, playerLink(player)),
    ...(marks === "" ? [] : [" ", h("span", { class: "draw-entry" }, marks)]),
    ...(is_winner ? [h("span", { class: "unseen" }, " won")] : []),
  )
}

const gapWords = (reason: DrawPlace["reason"]) => {
  switch (reason) {
    case "bye_or_missing":
      return "Bye, or not in the archive"
    case "missing_match":
      return "Not in the archive"
    case "not_played_or_missing":
      return "Not played yet, or not in the archive"
    default:
      return ""
  }
}
