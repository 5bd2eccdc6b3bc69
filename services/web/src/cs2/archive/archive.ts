/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Entry point of the archive pages: selects the page by the URL, reads its data from the API, and handles the search
 * box above every page.
 */
import { type Client, RequestError } from "@matchpoint/client"
import { byId, failureNotice } from "../../parts/document.ts"
import { h } from "../../parts/dom.ts"
import { keyForm } from "../../parts/keyForm.ts"
import { clientOf, isRefusal, keepKey, keyOf, readPageConfig } from "../access.ts"
import { eventView } from "./eventView.ts"
import { foundView } from "./foundView.ts"
import { playerView } from "./playerView.ts"
import { resultView } from "./resultView.ts"
import { teamView } from "./teamView.ts"

/**
 * Debounce of the search box: how long the visitor must stop typing before a search request is sent, in milliseconds.
 */
const PAUSE_MS = 150

const view = byId("view")
const announcer = byId("announcer")
const form = byId("search")
const box = byId("q")
if (!(box instanceof HTMLInputElement)) throw new Error("#q is not an input")

interface Page {
  readonly title: string
  readonly element: Node
  /** Text that is announced to screen readers when the page is shown. */
  readonly words?: string
}

const notice = (title: string, text: string): HTMLElement => h("div", { class: "notice" }, h("h1", {}, title), h("p", {}, text))

const showPage = ({ element, title, words }: Page) => {
  document.title = `${title} · Matchpoint`
  view.replaceChildren(element)
  if (words !== undefined) announcer.textContent = words
}

/**
 * For each kind of archive page, the function that loads it. The key is the first segment of the URL path. `name` is
 * the second segment, which is an id or a slug.
 */
const pages = {
  teams: async (client: Client, name: string): Promise<Page> => {
    const { data } = await client.get("/cs2/teams/:teamIdOrSlug", { params: { teamIdOrSlug: name } })
    return { title: data.name, element: teamView(data) }
  },
  players: async (client: Client, name: string): Promise<Page> => {
    const { data } = await client.get("/cs2/players/:playerIdOrSlug", { params: { playerIdOrSlug: name } })
    return { title: data.nickname, element: playerView(data) }
  },
  matches: async (client: Client, name: string): Promise<Page> => {
    const { data } = await client.get("/cs2/matches/:matchId", { params: { matchId: name } })
    return { title: `${data.team1Name} – ${data.team2Name}`, element: resultView(data) }
  },
  events: async (client: Client, name: string): Promise<Page> => {
    const params = { eventId: name }
    const query = { limit: 100 }
    const [event, participants, matches] = await Promise.all([
      client.get("/cs2/events/:eventIdOrSlug", { params: { eventIdOrSlug: name } }),
      client.get("/cs2/events/:eventId/participants", { params, query }),
      client.get("/cs2/events/:eventId/matches", { params, query }),
    ])
    return { title: event.data.name, element: eventView(event.data, participants.data, matches.data) }
  },
}

const isKind = (kind: string): kind is keyof typeof pages => Object.hasOwn(pages, kind)

/**
 * Sequence number of the newest request. Responses to earlier requests are discarded, so that only the result of the
 * newest one is shown.
 */
let newest = 0

const show = async (read: () => Promise<Page>) => {
  newest += 1
  const turn = newest
  const page = await read().catch(failed)
  if (turn === newest) showPage(page)
}

/** Returns the page to show if a page could not be loaded. */
const failed = (error: unknown): Page => {
  if (!(error instanceof RequestError)) throw error
  if (isRefusal(error)) return keyPage(error.message)
  return error.status === 404
    ? { title: "Not here", element: notice("This is not here", error.message) }
    : { title: "Not now", element: notice("This cannot be shown now", error.message) }
}

const search = (client: Client, question: string) => {
  history.replaceState(null, "", `/search${question === "" ? "" : `?q=${encodeURIComponent(question)}`}`)
  return show(async () => {
    if (question === "")
      return { title: "Search", element: notice("Search", "Teams, players, events and matches, by name. Typing errors are forgiven.") }
    const { data } = await client.get("/cs2/search", { query: { q: question } })
    return { title: question, ...foundView(question, data) }
  })
}

const open = (client: Client) => {
  const ask = () => void search(client, box.value.trim())
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    ask()
  })
  let pause: ReturnType<typeof setTimeout> | undefined
  box.addEventListener("input", () => {
    clearTimeout(pause)
    pause = setTimeout(ask, PAUSE_MS)
  })
  const [, kind = "", name = ""] = /^\/([a-z]+)\/([^/]+)$/.exec(location.pathname) ?? []
  if (isKind(kind)) return void show(() => pages[kind](client, decodeURIComponent(name)))
  box.value = new URLSearchParams(location.search).get("q") ?? ""
  box.focus()
  ask()
}

/**
 * Returns a page that asks the visitor for an API key. `refusal` is the reason why the previous key was rejected, or
 * `null` if no key has been rejected.
 */
const keyPage = (refusal: string | null): Page => {
  const { element, input } = keyForm(refusal, (key) => {
    keepKey(key)
    location.reload()
  })
  requestAnimationFrame(() => input.focus())
  return { title: "API key", element }
}

const start = async () => {
  const config = await readPageConfig()
  const key = keyOf(config)
  if (key === null) showPage(keyPage(null))
  else open(clientOf(config, key))
}

start().catch((error) => view.replaceChildren(failureNotice(error)))
