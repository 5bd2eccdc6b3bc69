/** Building blocks of the archive pages of every game. Content is always inserted as text, never as HTML. */
import { h } from "../parts/dom.ts"

export const notice = (title: string, text: string): HTMLElement => h("div", { class: "notice" }, h("h1", {}, title), h("p", {}, text))

export const panel = (title: string, ...children: Node[]) =>
  h("section", { class: "panel" }, h("div", { class: "panel-head" }, h("h2", {}, title)), ...children)

export const list = (items: ReadonlyArray<Node>, nothing: string) =>
  items.length === 0 ? h("p", { class: "beside" }, nothing) : h("ul", {}, ...items)

/** List item of a link followed by details. */
export const row = (link: Node, parts: ReadonlyArray<string | null>) => {
  const details = joined(parts)
  return h("li", {}, link, ...(details === "" ? [] : [" ", h("span", { class: "beside" }, details)]))
}

/** `caption` is for screen readers. Columns after the first are aligned as numbers unless `className` is `texts`. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Node | string>>,
  caption?: string,
  className?: "texts",
) =>
  h(
    "table",
    className === undefined ? {} : { class: className },
    ...(caption === undefined ? [] : [h("caption", { class: "unseen" }, caption)]),
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((cell) => h("td", {}, cell))))),
  )

/** Formats a timestamp as `2026-11-22 12:00 UTC`. */
export const when = (timestamp: string | null) => (timestamp === null ? null : `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`)

export const number = (count: number | null) => (count === null ? "–" : String(count))

/** List of values with their names. */
export const facts = (pairs: ReadonlyArray<readonly [name: string, value: string]>) =>
  h("dl", { class: "facts" }, ...pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))))

/** Joins the parts that are known, for the line below a heading. */
export const joined = (parts: ReadonlyArray<string | null>) => parts.filter((text) => text !== null && text !== "").join(" · ")
