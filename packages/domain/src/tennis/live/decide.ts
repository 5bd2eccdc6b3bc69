/**
 * Validates a feed event against the state of its match: accepts the event or rejects it with a reason. Has no side
 * effects. A rejection is a return value, never an exception.
 */
import type { FeedEvent, FeedEventOf } from "./feedEvents.ts"
import { otherSide, setsToWin, tieBreakDue, winsGame, winsTieBreak } from "./format.ts"
import { setsWonIn, setWinner } from "./sets.ts"
import { type Marked, type MatchState, nextPosition, type Position, seenKey, serverOf } from "./state.ts"

export const rejectionCodes = [
  "observed_in_future",
  "match_not_created",
  "match_exists",
  "wrong_match",
  "duplicate",
  "backup_standby",
  "match_not_started",
  "match_started",
  "match_over",
  "suspended",
  "not_suspended",
  "late_fact",
  "late_point",
  "early_point",
  "wrong_winner",
  "wrong_set",
  "wrong_players",
  "impossible_score",
  "outdated",
  "invariant",
] as const
export type RejectionCode = (typeof rejectionCodes)[number]

export interface Rejection {
  readonly code: RejectionCode
  /** Message for the sender that states the problem and what was expected. */
  readonly message: string
}

/** Maximum time by which the clock of a feed may be ahead of the server's clock, in milliseconds. */
export const MAX_CLOCK_LEAD_MS = 60_000

const reject = (code: RejectionCode, message: string): Rejection => ({ code, message })

/** Returns the reason why an event is rejected, or undefined if it is accepted. */
export const decide = (state: MatchState | undefined, event: FeedEvent): Rejection | undefined => {
  if (event.observedAt > event.receivedAt + MAX_CLOCK_LEAD_MS) {
    return reject("observed_in_future", `observedAt is ${event.observedAt - event.receivedAt} ms ahead of the server's clock`)
  }
  if (state === undefined) {
    return event.type === "MatchCreated" ? decideCreated(event) : reject("match_not_created", "the first event must be MatchCreated")
  }
  if (event.matchId !== state.matchId) return reject("wrong_match", `the event belongs to ${event.matchId}, not to ${state.matchId}`)
  if (event.type === "HistoryLost") {
    const { epoch } = event.payload
    return epoch > state.epoch ? undefined : reject("duplicate", `epoch ${epoch} does not follow ${state.epoch}`)
  }
  if (event.source === "backup" && state.source === "live") return reject("backup_standby", "the main feed is in use")
  if (event.type === "MatchCreated") return reject("match_exists", `${state.matchId} already exists`)
  if (state.seen.includes(seenKey(event))) return reject("duplicate", `fact ${event.id} was already accepted`)
  if (state.status === "completed" || state.status === "cancelled") return reject("match_over", `${state.matchId} is ${state.status}`)
  switch (event.type) {
    case "MatchStarted":
    case "WalkedOver":
      return state.status === "scheduled" ? undefined : reject("match_started", "the match has already started")
    case "Cancelled":
      return undefined
    case "SourceChanged":
      return event.payload.source === state.source
        ? reject("outdated", "the match already uses this feed")
        : isCurrent(state, event.payload)
  }
  if (state.status === "scheduled") return reject("match_not_started", "no MatchStarted was accepted yet")
  switch (event.type) {
    case "PointPlayed":
      return decidePoint(state, event)
    case "ServeOrderChosen":
      return decideServeOrder(state, event.payload)
    case "Suspended":
      return state.suspendedAt === null ? isNotBefore(state.interruption, event) : reject("suspended", "the match is already suspended")
    case "Resumed":
      return state.suspendedAt === null ? reject("not_suspended", "the match is not suspended") : isNotBefore(state.interruption, event)
    case "ScoreCorrected":
      return isNotBefore(state.correction, event) ?? decideCorrected(state, event.payload)
    case "FeedSilent":
      return isCurrent(state, event.payload)
    case "Retired":
      return undefined
  }
}

/** Rejects a decision of the watchdog that is about an earlier state. The watchdog then decides again. */
const isCurrent = ({ seq }: MatchState, { basedOn }: { readonly basedOn: number }): Rejection | undefined =>
  basedOn === seq ? undefined : reject("outdated", `the decision is based on change ${basedOn}; the match is at change ${seq}`)

/**
 * Rejects an event that its feed observed before an event of the same kind that was already applied: it is a repetition
 * or comes out of order. The clocks of two feeds are not compared.
 */
const isNotBefore = (marked: Marked | null, { id, observedAt, source, type }: FeedEvent): Rejection | undefined =>
  marked !== null && marked.source === source && observedAt < marked.at
    ? reject(type === "PointPlayed" ? "late_point" : "late_fact", `fact ${id} was observed before one that was already applied`)
    : undefined

const decideCreated = ({ payload: { format, sides } }: FeedEventOf<"MatchCreated">): Rejection | undefined => {
  const players = format.doubles ? 2 : 1
  return sides.every((side) => side.players.length === players)
    ? undefined
    : reject("wrong_players", `each side must have ${players} player${players === 1 ? "" : "s"}`)
}

const decidePoint = (state: MatchState, event: FeedEventOf<"PointPlayed">) => {
  const { game, kind, point, set, winner } = event.payload
  if (state.suspendedAt !== null) return reject("suspended", "the match is suspended; send Resumed first")
  // After a correction backwards, a repeated point could be at the position of the next point.
  const late = isNotBefore(state.correction, event)
  if (late !== undefined) return late
  const next = nextPosition(state)
  const server = serverOf(state)
  if (next === undefined || server === undefined) return reject("match_not_started", "no game is in progress")
  const order = set - next.set || game - next.game || point - next.point
  if (order !== 0)
    return reject(order < 0 ? "late_point" : "early_point", `the next point is ${placeOf(next)}, not ${placeOf({ set, game, point })}`)
  if (kind === "ace" && winner !== server) return reject("wrong_winner", `an ace is won by the server, side ${server}`)
  if (kind === "double_fault" && winner === server) {
    return reject("wrong_winner", `a double fault is won by the returner, side ${otherSide(server)}`)
  }
  return undefined
}

const placeOf = ({ game, point, set }: Position): string => `set ${set}, game ${game}, point ${point}`

const decideServeOrder = (state: MatchState, { set }: FeedEventOf<"ServeOrderChosen">["payload"]) => {
  const next = nextPosition(state)
  if (!state.rules.doubles) return reject("wrong_players", "only doubles have a serve order within a side")
  return next?.set === set && next.game === 1 && next.point === 1
    ? undefined
    : reject("wrong_set", `the order is chosen before the first point of a set; set ${state.sets.length} is in play`)
}

/** Accepts a correction only if the format allows its score, and if the match is not over at this score. */
const decideCorrected = ({ rules }: MatchState, { points, sets }: FeedEventOf<"ScoreCorrected">["payload"]) => {
  const impossible = (message: string) => reject("impossible_score", message)
  for (const [index, set] of sets.entries()) {
    const isLast = index === sets.length - 1
    const winner = setWinner(set, index + 1, rules)
    if (winner === "impossible") return impossible(`set ${index + 1} cannot stand at ${set.games.join("-")}`)
    if (isLast && winner !== null) return impossible("the last set must be in progress")
    if (!isLast && winner === null) return impossible(`set ${index + 1} is not over at ${set.games.join("-")}`)
  }
  if (sets.length > rules.bestOf) return impossible(`the match has at most ${rules.bestOf} sets`)
  if (Math.max(...setsWonIn(sets, rules)) >= setsToWin(rules)) return impossible("the match is over at this score")
  const games = sets[sets.length - 1]?.games ?? [0, 0]
  const target = tieBreakDue(games, sets.length, rules)
  const [one, two] = points
  const isWon = (own: number, other: number) => (target === undefined ? winsGame(own, other, rules.noAd) : winsTieBreak(own, other, target))
  return isWon(one, two) || isWon(two, one) ? impossible(`the game is over at ${one}-${two}`) : undefined
}
