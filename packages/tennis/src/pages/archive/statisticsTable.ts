/** Table of serve and return statistics, of one player or of two side by side. */
import { h } from "@matchpoint/game/pages/parts/dom"
import type { PlayerBox } from "../types.ts"
import { percentText } from "./archiveParts.ts"

type Box = Pick<PlayerBox, "return" | "serve">

const ofAttempts = (part: number, whole: number, percent: number | null) => `${part}/${whole} (${percentText(percent)})`

const lines: ReadonlyArray<readonly [words: string, text: (box: Box) => string]> = [
  ["Aces", ({ serve }) => String(serve.aces)],
  ["Double faults", ({ serve }) => String(serve.double_faults)],
  ["First serves in", ({ serve }) => ofAttempts(serve.first_in, serve.points, serve.first_in_pct)],
  ["First serve points won", ({ serve }) => ofAttempts(serve.first_won, serve.first_in, serve.first_won_pct)],
  ["Second serve points won", ({ serve }) => ofAttempts(serve.second_won, serve.second_points, serve.second_won_pct)],
  ["Service games won", ({ serve }) => ofAttempts(serve.games_won, serve.games, serve.games_won_pct)],
  ["Break points saved", ({ serve }) => ofAttempts(serve.break_points_saved, serve.break_points_faced, serve.break_points_saved_pct)],
  ["Return points won", (box) => ofAttempts(box.return.points_won, box.return.points, box.return.points_won_pct)],
  ["Return games won", (box) => ofAttempts(box.return.games_won, box.return.games, box.return.games_won_pct)],
  [
    "Break points converted",
    (box) => ofAttempts(box.return.break_points_converted, box.return.break_points, box.return.break_points_converted_pct),
  ],
]

/** Name of a count, and the value of the player. */
export const statisticsTable = (box: Box, caption: string) =>
  h(
    "table",
    {},
    h("caption", { class: "unseen" }, caption),
    h("tbody", {}, ...lines.map(([words, text]) => h("tr", {}, h("th", { scope: "row" }, words), h("td", {}, text(box))))),
  )

/** The value of the first player, what is counted, and the value of the second player. */
export const versusTable = (one: PlayerBox, two: PlayerBox, caption: string) =>
  h(
    "table",
    { class: "versus" },
    h("caption", { class: "unseen" }, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col", "data-side": "1" }, one.player.name ?? ""),
        h("td"),
        h("th", { scope: "col", "data-side": "2" }, two.player.name ?? ""),
      ),
    ),
    h(
      "tbody",
      {},
      ...lines.map(([words, text]) => h("tr", {}, h("td", {}, text(one)), h("th", { scope: "row" }, words), h("td", {}, text(two)))),
    ),
  )
