/** Parts of the archive pages of a section. */
import { h } from "../parts/dom.ts"

export interface SectionLink {
  readonly href: string
  readonly text: string
}

/** The link of the open page is marked. */
export const sectionNav = (title: string, links: ReadonlyArray<SectionLink>, current: string) =>
  h(
    "nav",
    { class: "section-nav", "aria-label": title },
    h("strong", {}, title),
    ...links.map(({ href, text }) => h("a", href === current ? { href, "aria-current": "page" } : { href }, text)),
  )

/** Label of matches, teams and players that this server has invented. */
export const simulatedMark = () =>
  h("span", { class: "simulated", title: "Invented by the simulation of this server, until real data is imported" }, "simulated")

export interface Filter {
  readonly name: string
  readonly label: string
  /** Text for the choice without a filter, or null if a value must be chosen. */
  readonly any: string | null
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
  readonly value: string | null
}

/** A form with a list of choices per filter. It opens `path` with the choices as the query. */
export const filterForm = (path: string, filters: ReadonlyArray<Filter>) => {
  const form = h(
    "form",
    { class: "filters" },
    ...filters.map(({ any, label, name, options, value }) => {
      const select = h(
        "select",
        { name },
        ...(any === null ? [] : [h("option", { value: "" }, any)]),
        ...options.map(([choice, text]) => h("option", choice === value ? { value: choice, selected: "" } : { value: choice }, text)),
      )
      return h("label", {}, `${label} `, select)
    }),
    h("button", { type: "submit" }, "Show"),
  )
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const chosen = [...new FormData(form)].flatMap(([name, value]) => (typeof value === "string" && value !== "" ? [[name, value]] : []))
    location.assign(pathWith(path, Object.fromEntries(chosen)))
  })
  return form
}

/** Leaves out values that are undefined or empty. */
export const pathWith = (path: string, query: Readonly<Record<string, string | undefined>>) => {
  const known = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "")
  return known.length === 0 ? path : `${path}?${new URLSearchParams(known)}`
}

/** Undefined means that there is no such page. */
export const pageLinks = (first: string | undefined, next: string | undefined) => {
  const links = [
    ...(first === undefined ? [] : [h("a", { class: "action", href: first }, "First page")]),
    ...(next === undefined ? [] : [h("a", { class: "action", href: next, rel: "next" }, "More")]),
  ]
  return links.length === 0 ? [] : [h("p", { class: "actions" }, ...links)]
}

/** The line for an empty list. It says what to do. */
export const nothing = (text: string) => h("p", { class: "beside" }, text)

export const chosen = (query: URLSearchParams, name: string) => {
  const value = query.get(name)
  return value === null || value === "" ? null : value
}

/** Formats numbers as `12,345`. */
const grouped = new Intl.NumberFormat("en-GB")
export const count = (value: number | null) => (value === null ? "–" : grouped.format(value))

/** The wide table scrolls sideways, also with the arrow keys. */
export const scrolled = (label: string, wide: Node) => h("div", { class: "wide", role: "region", tabindex: "0", "aria-label": label }, wide)
