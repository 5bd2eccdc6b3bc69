/**
 * Derives facts from Game State Integration posts. A post is a snapshot of the game, so facts are derived from the
 * differences between a post and the known match state. If a server log also reports the match, posts add only what
 * logs lack: the clock, players' equipment, the bomb carrier and remaining timeouts. Without a log, posts also
 * determine the rounds, and kills are inferred from the players' kill counts.
 */
import { fingerprint } from "@matchpoint/game/feed/fingerprint"
import { Result } from "effect"
import type { FeedEvent } from "../../../rules/live/feedEvents.ts"
import type { Adapter } from "../Adapter.ts"
import { Derivation } from "../Derivation.ts"
import { clipped, mapNameOf } from "../text.ts"
import { readBomb, readClock, readTimeoutsLeft } from "./clock.ts"
import { type GameMemory, GamePost, isWithLog, secondOfId } from "./GamePost.ts"
import { decodeGameState, type MatchPost, matchPostOf, type ReadGameState } from "./payload.ts"
import { inferKills, reportPeople, seatPeople } from "./people.ts"
import { isPlantTakenBack, reachBomb, reachMap, reachRound, restartMap, strayMap } from "./progress.ts"

export const gameState: Adapter<unknown, GameMemory> = {
  name: "gsi",
  initial: () => ({
    newest: 0,
    read: new Set(),
    logAt: null,
    completed: null,
    synced: false,
    headshots: new Map(),
    shown: null,
    stray: null,
    odd: new Set(),
  }),
  recall: (memory, event) => recall(memory, event),
  step: ({ memory, state }, input, receivedAt) => {
    const derivation = new Derivation(state, receivedAt)
    const decoded = decodeGameState(input)
    if (Result.isFailure(decoded)) {
      derivation.problem({ code: "malformed", message: decoded.failure, raw: withoutToken(input) })
      return derivation.done(memory)
    }
    const { body } = decoded.success
    const odd = reportOdd(derivation, decoded.success, memory.odd)
    const stamp = body.provider?.timestamp ?? Math.floor(receivedAt / 1000)
    const mark = fingerprint(withoutToken(input))
    const post = matchPostOf(body)
    if (post === undefined || stamp < memory.newest || (stamp === memory.newest && memory.read.has(mark))) {
      derivation.ignore()
      return derivation.done({ ...memory, odd })
    }
    const stray = strayMap(derivation.state, post, isWithLog(memory, receivedAt), receivedAt)
    if (stray === null) readPost(new GamePost(derivation, post, memory, stamp))
    else if (stray === memory.stray) derivation.ignore()
    else
      derivation.problem({
        code: "wrong_map",
        message: `${stray} is not the current map; end the current map first, or register another match`,
        raw: stray,
      })
    const step = derivation.done(memory)
    const read = stamp > memory.newest ? new Set([mark]) : new Set([...memory.read, mark])
    return {
      ...step,
      context: {
        state: step.context.state,
        memory: { ...step.events.reduce(recall, memory), newest: stamp, read, stray, odd, completed: post.completed, shown: shownIn(post) },
      },
    }
  },
}

/** Limits the remembered odd values, so that posts with ever new ones cannot fill the memory. */
const MOST_REMEMBERED = 100

/**
 * Each kind of odd value is reported once, whichever player, weapon or round has it: posts arrive ten times per second.
 * Returns what has been reported.
 */
const reportOdd = (derivation: Derivation, { odd }: ReadGameState, known: GameMemory["odd"]): GameMemory["odd"] => {
  const reported = new Set(known)
  for (const { issue, path } of odd) {
    const kind = path.map((key) => key.replace(/[0-9]+/g, "*")).join(".")
    if (reported.has(kind) || reported.size >= MOST_REMEMBERED) continue
    reported.add(kind)
    const place = clipped(path.join("."))
    derivation.problem({ code: "malformed", message: `${place}: ${clipped(issue)}; the value is ignored`, raw: place })
  }
  return odd.length === 0 ? known : reported
}

const readPost = (game: GamePost) => {
  if (game.withLog) {
    if (game.liveMap === undefined || game.state.round?.number !== game.roundInPlay) return game.derivation.ignore()
  } else {
    if (!reachMap(game)) return game.derivation.ignore()
    seatPeople(game)
    if (isPlantTakenBack(game)) restartMap(game)
    reachBomb(game)
    inferKills(game)
    reachRound(game)
  }
  reportPeople(game)
  readBomb(game)
  readClock(game)
  readTimeoutsLeft(game)
}

const shownIn = ({ completed, mapName, roundPhase }: MatchPost): GameMemory["shown"] => ({
  mapName: mapNameOf(mapName),
  round: roundPhase === "over" ? completed : completed + 1,
})

const recall = (memory: GameMemory, event: FeedEvent): GameMemory => {
  const own = event.id.startsWith("gsi:")
  const next = {
    ...memory,
    logAt: event.id.startsWith("log:") ? Math.max(memory.logAt ?? 0, event.receivedAt) : memory.logAt,
    synced: memory.synced || own,
    newest: Math.max(memory.newest, (own ? secondOfId(event.id) : undefined) ?? 0),
  }
  if (event.type === "RoundStarted" || event.type === "MapRestarted" || event.type === "MapStarted") {
    return { ...next, headshots: new Map() }
  }
  if (event.type !== "PlayerKilled" || !event.payload.headshot || event.payload.killerId === null) return next
  const { killerId } = event.payload
  return { ...next, headshots: new Map([...next.headshots, [killerId, (next.headshots.get(killerId) ?? 0) + 1]]) }
}

/** The feed token must not appear in logs, records or responses. */
export const withoutToken = (input: unknown): string =>
  JSON.stringify(input, (key, value: unknown) => (key === "auth" ? undefined : value)) ?? String(input)
