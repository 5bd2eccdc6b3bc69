/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Entry of the archive pages: selects the page by the URL, and handles the search box above every page. */
import { type Client, RequestError } from "@matchpoint/client"
import type { LoadPage, Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { notice } from "@matchpoint/game/pages/archive/archiveParts"
import { clientOf, isRefusal, keepKey, keyOf, readPageConfig } from "@matchpoint/game/pages/parts/access"
import { sections } from "@matchpoint/games/archivePages"
import { byId, failureNotice } from "../parts/document.ts"
import { keyForm } from "../parts/keyForm.ts"
import { moveByArrows, searchPage } from "./search.ts"

/** Pause in typing before a search request. */
const PAUSE_MS = 150

const view = byId("view")
const announcer = byId("announcer")
const form = byId("search")
const box = byId("q")
if (!(box instanceof HTMLInputElement)) throw new Error("#q is not an input")

const showPage = ({ element, title, words }: Page) => {
  document.title = `${title} · Matchpoint`
  view.replaceChildren(element)
  if (words !== undefined) announcer.textContent = words
}

const pages: ReadonlyMap<string, LoadPage> = new Map(sections.flatMap((section) => Object.entries(section.pages)))

/** Responses to earlier requests are discarded. */
let newest = 0

const show = async (read: () => Promise<Page>) => {
  newest += 1
  const turn = newest
  const page = await read().catch(failed)
  if (turn === newest) showPage(page)
}

/** Shown instead of a page that could not be loaded. */
const failed = (error: unknown): Page => {
  if (!(error instanceof RequestError)) throw error
  if (isRefusal(error)) return keyPage(error.message)
  return error.status === 404
    ? { title: "Not here", element: notice("This is not here", error.message) }
    : { title: "Not now", element: notice("This cannot be shown now", error.message) }
}

const search = (client: Client, question: string) => {
  history.replaceState(null, "", `/search${question === "" ? "" : `?q=${encodeURIComponent(question)}`}`)
  return show(() => searchPage(client, question))
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
  moveByArrows(box, view)
  const [, kind = "", name = ""] = /^(\/.+)\/([^/]+)$/.exec(location.pathname) ?? []
  const load = pages.get(kind)
  const query = new URLSearchParams(location.search)
  if (load !== undefined) return void show(() => load(client, decodeURIComponent(name), query))
  box.value = query.get("q") ?? ""
  box.focus()
  ask()
}

/** `refusal` is the reason why the previous key was rejected, or `null`. */
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
