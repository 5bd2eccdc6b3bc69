/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Entry point of the live page: selects the view by the URL, stores changes that arrive from the connection, and
 * redraws the view. However many changes arrive, the view is redrawn at most once per animation frame. Clocks continue
 * to run between changes.
 */
import { type Client, RequestError } from "@matchpoint/client"
import { byId, failureNotice } from "../../parts/document.ts"
import { keyForm } from "../../parts/keyForm.ts"
import { clientOf, keepKey, keyOf, type PageConfig, readPageConfig } from "../access.ts"
import { announcer } from "./announcer.ts"
import { Connection, type ConnectionState, type Listener } from "./Connection.ts"
import { LiveStore } from "./LiveStore.ts"
import { matchList } from "./matchList.ts"
import { matchPage } from "./matchPage.ts"
import { stoppedNotice } from "./notice.ts"
import { StreamClock } from "./StreamClock.ts"
import { wire } from "./wire.ts"

type Shown =
  | { readonly matchId: undefined; readonly list: ReturnType<typeof matchList> }
  | { readonly matchId: string; readonly page: ReturnType<typeof matchPage> }

const TICK_MS = 100

/**
 * Returns the match id in the URL fragment, such as `#/match/cs2-match-1001`. Returns undefined if the fragment does
 * not refer to a match.
 */
const matchOfLocation = (): string | undefined => /^#\/match\/(cs2-match-[1-9][0-9]{0,15})$/.exec(location.hash)?.[1]

const view = byId("view")
const notice = byId("notice")
const status = wire(byId("wire"))
const announce = announcer(byId("announcer"))
const store = new LiveStore()
const clock = new StreamClock()

let state: ConnectionState = { kind: "connecting" }
let access: { readonly client: Client; readonly connection: Connection } | undefined
let shown: Shown | undefined
let loaded = false
let drawing = false

const now = () => clock.now(state.kind === "open" ? state.delaySeconds : 0)

const draw = () => {
  drawing = false
  if (shown === undefined) return
  if (shown.matchId === undefined) return shown.list.update(store.rows(now()), loaded)
  const known = store.match(shown.matchId)
  if (known === undefined) return
  shown.page.update(known, store.events)
  const [team1, team2] = known.match.teams
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
  const known = shown?.matchId === undefined ? undefined : store.match(shown.matchId)
  status.tick(state, known, now())
  if (known !== undefined && shown?.matchId !== undefined) shown.page.tick(known, now())
}

/**
 * Reads the events that happened before the page was opened. If this fails, an error is shown only if the match does
 * not exist, because other failures also affect the connection, which reports them.
 */
const readEvents = async (matchId: string) => {
  if (access === undefined) return
  try {
    const { data } = await access.client.get("/cs2/live/:matchId/events", { params: { matchId }, query: { limit: 200 } })
    if (shown?.matchId === matchId) store.addEvents(data.events)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    if (error.status === 404 && shown?.matchId === matchId && store.match(matchId) === undefined) shown.page.absent(error.message)
  }
  scheduleDraw()
}

/**
 * Shows the view to which the URL refers. `moveFocus` is true if the visitor followed a link on the page, so that the
 * focus must move to the new view.
 */
const route = (moveFocus: boolean) => {
  if (access === undefined) return
  const matchId = matchOfLocation()
  store.watch(matchId)
  if (matchId === undefined) {
    const list = matchList()
    shown = { matchId, list }
    view.replaceChildren(list.element)
    document.title = "Live matches · Matchpoint"
  } else {
    const page = matchPage()
    shown = { matchId, page }
    view.replaceChildren(page.element)
  }
  access.connection.follow(matchId)
  draw()
  if (!moveFocus) return
  scrollTo(0, 0)
  view.focus({ preventScroll: true })
}

/**
 * Asks the visitor for an API key. `refusal` is the reason why the previous key was rejected, or `null` if no key has
 * been rejected.
 */
const askForKey = (config: PageConfig, refusal: string | null) => {
  access?.connection.close()
  access = undefined
  shown = undefined
  notice.replaceChildren()
  const { element, input } = keyForm(refusal, (key) => {
    keepKey(key)
    connect(config, key)
  })
  view.replaceChildren(element)
  document.title = "API key · Matchpoint"
  input.focus()
}

const showStop = (config: PageConfig, key: string, message: string) => {
  const again = () => {
    access?.connection.close()
    connect(config, key)
  }
  notice.replaceChildren(stoppedNotice(message, { again, otherKey: () => askForKey(config, null) }))
}

const listenerOf = (config: PageConfig, key: string): Listener => ({
  onState(next) {
    state = next
    announce.connection(next)
    if (next.kind === "stopped") showStop(config, key, next.message)
    else notice.replaceChildren()
    if (next.kind === "refused") {
      keepKey(null)
      askForKey(config, next.message)
    }
    if (next.kind === "open" && shown?.matchId !== undefined) void readEvents(shown.matchId)
    tick()
  },
  onMatches(items, serverTime) {
    if (serverTime !== undefined) clock.readDateHeader(serverTime, Date.now())
    store.list(items)
    loaded = true
    scheduleDraw()
  },
  onChange(change, isNew) {
    if (isNew) clock.readUpdate(change.observedAt, Date.now())
    if (!store.accept(change)) return
    if (isNew && change.matchId === shown?.matchId) for (const event of change.events) announce.event(change.match, event)
    scheduleDraw()
  },
  onAbsent(message) {
    if (shown?.matchId !== undefined && store.match(shown.matchId) === undefined) shown.page.absent(message)
  },
})

const connect = (config: PageConfig, key: string) => {
  const client = clientOf(config, key)
  access = { client, connection: new Connection(client, listenerOf(config, key)) }
  route(false)
}

const start = async () => {
  const config = await readPageConfig()
  addEventListener("hashchange", () => route(true))
  setInterval(tick, TICK_MS)
  const key = keyOf(config)
  if (key === null) askForKey(config, null)
  else connect(config, key)
}

start().catch((error) => view.replaceChildren(failureNotice(error)))
