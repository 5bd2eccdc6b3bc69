/** What the pages of the archive are put together from: links to entities, panels, tables, and how values are written. Text only. */
import { h } from "./dom.js"

/** @import { MatchSummary } from "@matchpoint/contracts/http/cs2/data/models" */

/** @param {"teams" | "players" | "matches" | "events"} kind @param {string} idOrSlug @param {string} text */
export const linkTo = (kind, idOrSlug, text) => h("a", { href: `/${kind}/${encodeURIComponent(idOrSlug)}` }, text)

/** @param {string} title @param {...Node} children */
export const panel = (title, ...children) =>
  h("section", { class: "panel" }, h("div", { class: "panel-head" }, h("h2", {}, title)), ...children)

/** @param {ReadonlyArray<Node>} items @param {string} nothing what is said of an empty list */
export const list = (items, nothing) => (items.length === 0 ? h("p", { class: "beside" }, nothing) : h("ul", {}, ...items))

/** A list's row: a link, and what is told beside it. @param {Node} link @param {ReadonlyArray<string | null>} beside */
export const row = (link, beside) => {
  const told = beside.filter((text) => text !== null && text !== "").join(" · ")
  return h("li", {}, link, ...(told === "" ? [] : [" ", h("span", { class: "beside" }, told)]))
}

/** @param {ReadonlyArray<string>} heads @param {ReadonlyArray<ReadonlyArray<Node | string>>} rows */
export const table = (heads, rows) =>
  h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((cell) => h("td", {}, cell))))),
  )

/** `2026-11-22 12:00`, UTC. @param {string | null} timestamp */
export const when = (timestamp) => (timestamp === null ? null : `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`)

/** @param {number | null} count */
export const number = (count) => (count === null ? "–" : String(count))

/** `2:1`, or who is to meet. @param {Pick<MatchSummary, "team1Score" | "team2Score">} match */
export const score = ({ team1Score, team2Score }) => (team1Score === null || team2Score === null ? null : `${team1Score}:${team2Score}`)

/** @param {MatchSummary} match */
export const matchRow = (match) =>
  row(linkTo("matches", match.id, `${match.team1Name} – ${match.team2Name}`), [
    score(match),
    match.status,
    match.eventName,
    when(match.startsAt),
  ])

/** @param {ReadonlyArray<MatchSummary>} matches @param {string} nothing */
export const matchList = (matches, nothing) => list(matches.map(matchRow), nothing)
