/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The live page: which view is shown, and the way of a frame from the connection through the store to it. Documents are drawn at
 * most once per animation frame, however many arrive; clocks run between them.
 */
import { announcer } from "./announcer.js"
import { readEvents, readMatches, readPageConfig } from "./api.js"
import { h } from "./dom.js"
import { keyForm } from "./keyForm.js"
import { LiveConnection } from "./LiveConnection.js"
import { LiveStore } from "./LiveStore.js"
import { matchList } from "./matchList.js"
import { matchPage } from "./matchPage.js"
import { stoppedNotice } from "./notice.js"
import { StreamClock } from "./StreamClock.js"
import { wire } from "./wire.js"

/** @import { ConnectionState } from "./LiveConnection.js" */

const KEY_SLOT = "matchpoint.apiKey"
const TICK_MS = 100

/** @param {string} id */
const byId = (id) => {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`the page has no #${id}`)
  return element
}

/** `#/match/cs2-match-1001` */
const matchOfLocation = () => /^#\/match\/(cs2-match-[1-9][0-9]{0,15})$/.exec(location.hash)?.[1] ?? null

const view = byId("view")
const notice = byId("notice")
const status = wire(byId("wire"))
const announce = announcer(byId("announcer"))
const store = new LiveStore()
const clock = new StreamClock()

/** @type {ConnectionState} */
let connection = { kind: "connecting", attempt: 0 }
/** @type {LiveConnection | null} */
let link = null
/** The API as this page reaches it. @type {{ readonly apiRoot: string, readonly key: string } | null} */
let access = null
/** @type {{ readonly matchId: null, readonly list: ReturnType<typeof matchList> }
 *   | { readonly matchId: string, readonly page: ReturnType<typeof matchPage> } | null} */
let shown = null
let loaded = false
let drawing = false

const now = () => clock.now(connection.kind === "open" ? connection.delaySeconds : 0)

const draw = () => {
  drawing = false
  if (shown === null) return
  if (shown.matchId === null) return shown.list.update(store.rows(now()), loaded)
  const known = store.match(shown.matchId)
  if (known === undefined) return
  const { match } = known
  shown.page.update(known, store.events)
  const [team1, team2] = match.teams
  document.title = `${team1.name} ${team1.mapScore}:${team2.mapScore} ${team2.name} · Matchpoint`
  tick()
}

const scheduleDraw = () => {
  if (drawing) return
  drawing = true
  requestAnimationFrame(draw)
}

const tick = () => {
  if (document.hidden) return
  const known = shown?.matchId == null ? undefined : store.match(shown.matchId)
  status.tick(connection, known, now())
  if (known !== undefined && shown !== null && shown.matchId !== null) shown.page.tick(known, now())
}

/** What happened before we came, or while we were away. @param {string} matchId */
const catchUp = async (matchId) => {
  if (access === null) return
  const answer = await readEvents(access.apiRoot, access.key, matchId)
  if (shown?.matchId !== matchId) return
  if (answer.kind === "ok") store.addEvents(answer.data.events)
  if (answer.kind === "absent" && store.match(matchId) === undefined) shown.page.absent(answer.message)
  scheduleDraw()
}

/** While one match was watched, others came and went unseen. */
const relist = async () => {
  if (access === null) return
  const answer = await readMatches(access.apiRoot, access.key)
  if (answer.kind === "ok") store.list(answer.data)
  scheduleDraw()
}

/** Shows what the address names. @param {boolean} moveFocus whether the visitor came here by a link on the page */
const route = (moveFocus) => {
  if (link === null) return
  const matchId = matchOfLocation()
  store.watch(matchId)
  if (matchId === null) {
    const list = matchList()
    shown = { matchId, list }
    view.replaceChildren(list.element)
    document.title = "Live matches · Matchpoint"
    link.follow(["all"])
    if (connection.kind === "open") void relist()
  } else {
    const page = matchPage()
    shown = { matchId, page }
    view.replaceChildren(page.element)
    link.follow([`match:${matchId}`])
    if (connection.kind === "open") void catchUp(matchId)
  }
  draw()
  if (!moveFocus) return
  scrollTo(0, 0)
  view.focus({ preventScroll: true })
}

/** @param {string} apiRoot @param {string | null} refusal */
const askForKey = (apiRoot, refusal) => {
  link?.close()
  link = null
  shown = null
  notice.replaceChildren()
  const { element, input } = keyForm(refusal, (key) => {
    sessionStorage.setItem(KEY_SLOT, key)
    connect(apiRoot, key)
  })
  view.replaceChildren(element)
  document.title = "API key · Matchpoint"
  input.focus()
}

/** @param {string} apiRoot @param {string} key @param {string} message */
const tellStop = (apiRoot, key, message) => {
  const again = () => {
    link?.close()
    connect(apiRoot, key)
  }
  notice.replaceChildren(stoppedNotice(message, { again, otherKey: () => askForKey(apiRoot, null) }))
}

/** @param {string} apiRoot @param {string} key */
const connect = (apiRoot, key) => {
  access = { apiRoot, key }
  link = new LiveConnection(apiRoot, key, {
    onState(state) {
      connection = state
      announce.connection(state)
      if (state.kind === "stopped") tellStop(apiRoot, key, state.message)
      else notice.replaceChildren()
      if (state.kind === "refused") {
        sessionStorage.removeItem(KEY_SLOT)
        askForKey(apiRoot, state.message)
      }
      if (state.kind === "open" && shown !== null && shown.matchId !== null) void catchUp(shown.matchId)
      tick()
    },
    onMatches(items, serverTime) {
      if (serverTime !== null) clock.readDateHeader(serverTime, Date.now())
      store.list(items)
      loaded = true
      scheduleDraw()
    },
    onFrame(frame) {
      if (frame.type === "cs2.live.update") clock.readUpdate(frame.observedAt, Date.now())
      if (!store.accept(frame)) return
      if (frame.matchId === shown?.matchId && frame.type === "cs2.live.update") announce.frame(frame)
      scheduleDraw()
    },
    onError(error) {
      if (error.code === "MATCH_NOT_FOUND" && shown !== null && shown.matchId !== null && store.match(shown.matchId) === undefined) {
        shown.page.absent(error.message)
      }
    },
  })
  route(false)
}

const start = async () => {
  const { apiRoot, demoKey } = await readPageConfig()
  addEventListener("hashchange", () => route(true))
  setInterval(tick, TICK_MS)
  const key = sessionStorage.getItem(KEY_SLOT) ?? demoKey
  if (key === null) askForKey(apiRoot, null)
  else connect(apiRoot, key)
}

start().catch((error) => {
  view.replaceChildren(h("div", { class: "notice", role: "alert" }, h("h1", {}, "This page could not start"), h("p", {}, String(error))))
})
