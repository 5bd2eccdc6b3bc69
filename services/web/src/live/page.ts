/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Entry of the live page: selects the view by the URL and redraws it, at most once per animation frame however many
 * changes arrive. Clocks continue to run between changes.
 */
import { type Client, LiveError, RequestError } from "@matchpoint/client"
import { Connection, type ConnectionState, type Listener } from "@matchpoint/game/pages/live/Connection"
import type { LiveSection, OpenMatch } from "@matchpoint/game/pages/live/LiveSection"
import { matchList } from "@matchpoint/game/pages/live/matchList"
import { wire } from "@matchpoint/game/pages/live/wire"
import { clientOf, keepKey, keyOf, type PageConfig, readPageConfig } from "@matchpoint/game/pages/parts/access"
import { createSections } from "@matchpoint/games/livePages"
import { byId, failureNotice } from "../parts/document.ts"
import { keyForm } from "../parts/keyForm.ts"
import { announcer } from "./announcer.ts"
import { stoppedNotice } from "./notice.ts"

type Shown =
  | { readonly matchId: undefined; readonly list: ReturnType<typeof matchList> }
  | { readonly matchId: string; readonly section: LiveSection; readonly page: OpenMatch; readonly closed: AbortController }

const TICK_MS = 100

const view = byId("view")
const notice = byId("notice")
const status = wire(byId("wire"))
const announcements = announcer(byId("announcer"))
const sections = createSections()

let state: ConnectionState = { kind: "connecting" }
let access: { readonly client: Client; readonly connection: Connection } | undefined
let shown: Shown | undefined
let loaded = false
let drawing = false
/**
 * True after the connection was opened. Events are read after the first change, so that none is missing between them
 * and the changes.
 */
let needsEvents = false

const sectionOf = (matchId: string) => sections.find(({ game }) => matchId.startsWith(`${game}-match-`))

/** Match in the URL fragment, such as `#/match/cs2-match-1001`. */
const matchOfLocation = (): string | undefined => /^#\/match\/([a-z0-9-]+-match-[1-9][0-9]{0,15})$/.exec(location.hash)?.[1]

/** Game in the URL fragment, such as `#/cs2`. */
const gameOfLocation = (): string | undefined => sections.find(({ game }) => location.hash === `#/${game}`)?.game

const nowOf = ({ clock }: LiveSection) => clock.now(state.kind === "open" ? state.delaySeconds : 0)

const draw = () => {
  drawing = false
  if (shown === undefined) return
  if (shown.matchId === undefined) return shown.list.update(nowOf, loaded)
  const title = shown.page.draw()
  if (title === undefined) return
  document.title = `${title} · Matchpoint`
  tick()
}

const scheduleDraw = () => {
  if (drawing) return
  drawing = true
  requestAnimationFrame(draw)
}

const tick = () => {
  if (document.hidden) return
  if (shown?.matchId === undefined) return status.tick(state, undefined, 0)
  const now = nowOf(shown.section)
  status.tick(state, shown.page.wireMatch(), now)
  shown.page.tick(now)
}

/** Events before the page was opened. A failure is not shown, because it also affects the connection, which reports it. */
const readEvents = async () => {
  if (!needsEvents || access === undefined || shown?.matchId === undefined) return
  needsEvents = false
  const { closed, page } = shown
  try {
    await page.readEvents(access.client, closed.signal)
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof LiveError || closed.signal.aborted)) throw error
  }
  scheduleDraw()
}

/** If the visitor followed a link on the page (`moveFocus`), the focus must move to the new view. */
const route = (moveFocus: boolean) => {
  if (access === undefined) return
  closeMatch()
  const matchId = matchOfLocation()
  const section = matchId === undefined ? undefined : sectionOf(matchId)
  if (matchId === undefined || section === undefined) {
    const list = matchList(sections, gameOfLocation())
    shown = { matchId: undefined, list }
    view.replaceChildren(list.element)
    document.title = "Live matches · Matchpoint"
  } else {
    const page = section.openMatch(matchId)
    shown = { matchId, section, page, closed: new AbortController() }
    view.replaceChildren(page.element)
  }
  access.connection.follow(shown.matchId)
  draw()
  if (!moveFocus) return
  scrollTo(0, 0)
  view.focus({ preventScroll: true })
}

const closeMatch = () => {
  if (shown?.matchId === undefined) return
  shown.closed.abort()
  shown.section.closeMatch()
}

/** `refusal` is the reason why the previous key was rejected, or `null`. */
const askForKey = (config: PageConfig, refusal: string | null) => {
  access?.connection.close()
  access = undefined
  closeMatch()
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
    announcements.connection(next)
    if (next.kind === "stopped") showStop(config, key, next.message)
    else notice.replaceChildren()
    if (next.kind === "refused") {
      keepKey(null)
      askForKey(config, next.message)
    }
    if (next.kind === "open") needsEvents = true
    tick()
  },
  onMatches(items, serverTime) {
    for (const section of sections) {
      if (serverTime !== undefined) section.clock.readDateHeader(serverTime, Date.now())
      section.list(items.filter(({ game }) => game === section.game))
    }
    loaded = true
    scheduleDraw()
  },
  onChange(change, isNew) {
    const section = sectionOf(change.matchId)
    if (section === undefined) return
    if (isNew) section.clock.readUpdate(change.observedAt, Date.now())
    const words = section.accept(change)
    if (words === undefined) return
    if (isNew && change.matchId === shown?.matchId) for (const text of words) announcements.announce(text)
    if (change.matchId === shown?.matchId) void readEvents()
    scheduleDraw()
  },
  onAbsent(message) {
    if (shown?.matchId !== undefined) shown.page.absent(message)
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
