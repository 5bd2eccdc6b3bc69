/**
 * Building blocks of the archive pages: links, panels, lists, tables and formatted values. Content is always inserted
 * as text, never as HTML.
 */
import { h } from "../../parts/dom.ts"
import type { MatchSummary } from "../types.ts"

export const linkTo = (kind: "teams" | "players" | "matches" | "events", idOrSlug: string, text: string) =>
  h("a", { href: `/${kind}/${encodeURIComponent(idOrSlug)}` }, text)

export const panel = (title: string, ...children: Node[]) =>
  h("section", { class: "panel" }, h("div", { class: "panel-head" }, h("h2", {}, title)), ...children)

export const list = (items: ReadonlyArray<Node>, nothing: string) =>
  items.length === 0 ? h("p", { class: "beside" }, nothing) : h("ul", {}, ...items)

/** Creates a list item that consists of a link followed by details. */
export const row = (link: Node, parts: ReadonlyArray<string | null>) => {
  const details = parts.filter((text) => text !== null && text !== "").join(" · ")
  return h("li", {}, link, ...(details === "" ? [] : [" ", h("span", { class: "beside" }, details)]))
}

export const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Node | string>>) =>
  h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((cell) => h("td", {}, cell))))),
  )

/** Formats a timestamp as `2026-11-22 12:00 UTC`. */
export const when = (timestamp: string | null) => (timestamp === null ? null : `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`)

export const number = (count: number | null) => (count === null ? "–" : String(count))

/** Formats the score of a match as `2:1`. Returns null if the match has no score. */
export const score = ({ team1Score, team2Score }: Pick<MatchSummary, "team1Score" | "team2Score">) =>
  team1Score === null || team2Score === null ? null : `${team1Score}:${team2Score}`

export const matchRow = (match: MatchSummary) =>
  row(linkTo("matches", match.id, `${match.team1Name} – ${match.team2Name}`), [
    score(match),
    match.status,
    match.eventName,
    when(match.startsAt),
  ])

export const matchList = (matches: ReadonlyArray<MatchSummary>, nothing: string) => list(matches.map(matchRow), nothing)
