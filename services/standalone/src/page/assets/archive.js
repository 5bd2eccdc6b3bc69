/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The pages of the archive: which one the address names, what it reads from the API, and the search box above all of them. */
import { readArchive, readPageConfig } from "./api.js"
import { h } from "./dom.js"
import { foundView } from "./foundView.js"
import { keyForm } from "./keyForm.js"
import { playerView } from "./playerView.js"
import { resultView } from "./resultView.js"
import { teamView } from "./teamView.js"

/** @import { Found } from "@matchpoint/contracts/http/cs2/data/SearchApi" */
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
  /** @param {unknown} data */
  teams: (data) => {
    const team = /** @type {TeamProfile} */ (data)
    showPage(team.name, teamView(team))
  },
  /** @param {unknown} data */
  players: (data) => {
    const player = /** @type {PlayerProfile} */ (data)
    showPage(player.nickname, playerView(player))
  },
  /** @param {unknown} data */
  matches: (data) => {
    const match = /** @type {MatchDetail} */ (data)
    showPage(`${match.team1Name} – ${match.team2Name}`, resultView(match))
  },
}

/** Only the answer to the last question is shown. */
let asked = 0

/** @param {string} apiRoot @param {string} key @param {string} path @param {(data: unknown) => void} draw */
const read = async (apiRoot, key, path, draw) => {
  asked += 1
  const turn = asked
  const answer = await readArchive(apiRoot, key, path)
  if (turn !== asked) return
  if (answer.kind === "ok") draw(answer.data)
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
  await read(apiRoot, key, `/cs2/search?q=${encodeURIComponent(question)}`, (data) => {
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
  const [, kind = "", name = ""] = /^\/(teams|players|matches)\/([^/]+)$/.exec(location.pathname) ?? []
  if (kind === "teams" || kind === "players" || kind === "matches") return void read(apiRoot, key, `/cs2/${kind}/${name}`, pages[kind])
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
