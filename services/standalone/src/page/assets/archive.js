/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The pages of the archive: which one the address names, what it reads from the API, and the search box above all of them. */
import { readArchive, readPageConfig } from "./api.js"
import { h } from "./dom.js"
import { eventView } from "./eventView.js"
import { foundView } from "./foundView.js"
import { keyForm } from "./keyForm.js"
import { playerView } from "./playerView.js"
import { resultView } from "./resultView.js"
import { teamView } from "./teamView.js"

/** @import { Found } from "@matchpoint/contracts/http/cs2/data/endpoints/SearchApi" */
/** @import { EventRow, MatchSummary } from "@matchpoint/contracts/http/cs2/data/models" */
/** @import { EventParticipant } from "@matchpoint/contracts/http/cs2/data/eventModels" */
/** @import { MatchDetail } from "@matchpoint/contracts/http/cs2/data/matchModels" */
/** @import { PlayerProfile } from "@matchpoint/contracts/http/cs2/data/playerModels" */
/** @import { TeamProfile } from "@matchpoint/contracts/http/cs2/data/teamModels" */

const KEY_SLOT = "matchpoint.apiKey"
/** While somebody types, nothing is asked. */
const PAUSE_MS = 150

/** @param {string} id */
const byId = (id) => {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`the page has no #${id}`)
  return element
}

const view = byId("view")
const announcer = byId("announcer")
const form = byId("search")
const box = /** @type {HTMLInputElement} */ (byId("q"))

/** @param {string} title @param {string} text */
const notice = (title, text) => h("div", { class: "notice" }, h("h1", {}, title), h("p", {}, text))

/** @param {string} title @param {Node} element */
const showPage = (title, element) => {
  document.title = `${title} · Matchpoint`
  view.replaceChildren(element)
}

/** Kinds of pages, by the first part of their paths. What the API answers is trusted as the contract has it. */
const pages = {
  /** @param {ReadonlyArray<unknown>} data */
  teams: ([data]) => {
    const team = /** @type {TeamProfile} */ (data)
    showPage(team.name, teamView(team))
  },
  /** @param {ReadonlyArray<unknown>} data */
  players: ([data]) => {
    const player = /** @type {PlayerProfile} */ (data)
    showPage(player.nickname, playerView(player))
  },
  /** @param {ReadonlyArray<unknown>} data */
  matches: ([data]) => {
    const match = /** @type {MatchDetail} */ (data)
    showPage(`${match.team1Name} – ${match.team2Name}`, resultView(match))
  },
  /** @param {ReadonlyArray<unknown>} data */
  events: ([data, participants, matches]) => {
    const event = /** @type {EventRow} */ (data)
    const view = eventView(
      event,
      /** @type {ReadonlyArray<EventParticipant>} */ (participants),
      /** @type {ReadonlyArray<MatchSummary>} */ (matches),
    )
    showPage(event.name, view)
  },
}

/** @param {string} kind @returns {kind is keyof typeof pages} */
const isKind = (kind) => Object.hasOwn(pages, kind)

/** What a page of the kind reads, below the entity's own path. @type {Record<keyof typeof pages, ReadonlyArray<string>>} */
const parts = { teams: [""], players: [""], matches: [""], events: ["", "/participants?limit=100", "/matches?limit=100"] }

/** Only the answer to the last question is shown. */
let asked = 0

/** @param {string} apiRoot @param {string} key @param {ReadonlyArray<string>} paths @param {(data: ReadonlyArray<unknown>) => void} draw */
const read = async (apiRoot, key, paths, draw) => {
  asked += 1
  const turn = asked
  const answers = await Promise.all(paths.map((path) => readArchive(apiRoot, key, path)))
  if (turn !== asked) return
  const answer = answers.find(({ kind }) => kind !== "ok")
  if (answer === undefined || answer.kind === "ok") draw(answers.map((one) => (one.kind === "ok" ? one.data : undefined)))
  else if (answer.kind === "refused") askForKey(answer.message)
  else
    showPage(
      answer.kind === "absent" ? "Not here" : "Not now",
      notice(answer.kind === "absent" ? "This is not here" : "This cannot be shown now", answer.message),
    )
}

/** @param {string} apiRoot @param {string} key @param {string} question */
const search = async (apiRoot, key, question) => {
  history.replaceState(null, "", `/search${question === "" ? "" : `?q=${encodeURIComponent(question)}`}`)
  if (question === "")
    return showPage("Search", notice("Search", "Teams, players, events and matches, by name. Typing errors are forgiven."))
  await read(apiRoot, key, [`/cs2/search?q=${encodeURIComponent(question)}`], ([data]) => {
    const { element, words } = foundView(question, /** @type {Found} */ (data))
    showPage(question, element)
    announcer.textContent = words
  })
}

/** @param {string} apiRoot @param {string} key */
const open = (apiRoot, key) => {
  const ask = () => void search(apiRoot, key, box.value.trim())
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    ask()
  })
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause
  box.addEventListener("input", () => {
    clearTimeout(pause)
    pause = setTimeout(ask, PAUSE_MS)
  })
  const [, kind = "", name = ""] = /^\/([a-z]+)\/([^/]+)$/.exec(location.pathname) ?? []
  if (isKind(kind)) {
    const paths = parts[kind].map((part) => `/cs2/${kind}/${name}${part}`)
    return void read(apiRoot, key, paths, pages[kind])
  }
  box.value = new URLSearchParams(location.search).get("q") ?? ""
  box.focus()
  ask()
}

/** @param {string | null} refusal */
const askForKey = (refusal) => {
  const { element, input } = keyForm(refusal, (key) => {
    sessionStorage.setItem(KEY_SLOT, key)
    location.reload()
  })
  showPage("API key", element)
  input.focus()
}

const start = async () => {
  const { apiRoot, demoKey } = await readPageConfig()
  const key = sessionStorage.getItem(KEY_SLOT) ?? demoKey
  if (key === null) askForKey(null)
  else open(apiRoot, key)
}

start().catch((error) => {
  view.replaceChildren(h("div", { class: "notice", role: "alert" }, h("h1", {}, "This page could not start"), h("p", {}, String(error))))
})
