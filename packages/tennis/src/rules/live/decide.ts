/**
 * Accepts a fact or rejects it with a reason: a return value, never an exception. Pure. `matchFold` has shared checks.
 */
import { isNotBefore, type Rejection as RejectionOf, reject, type SharedRejectionCode } from "@matchpoint/game/rules/rejections"
import type { Fact, FeedEventOf } from "./feedEvents.ts"
import { otherSide, setsToWin, tieBreakDue, winsGame, winsTieBreak } from "./format.ts"
import { setsWonIn, setWinner } from "./sets.ts"
import { type MatchState, nextPosition, type Position, serverOf } from "./state.ts"

export type RejectionCode =
  | SharedRejectionCode
  | "match_started"
  | "late_point"
  | "early_point"
  | "wrong_winner"
  | "wrong_set"
  | "wrong_players"
  | "impossible_score"

type Rejection = RejectionOf<RejectionCode>

/** Undefined if the fact is accepted. */
export const decideFact = (state: MatchState, event: Exclude<Fact, FeedEventOf<"Cancelled">>): Rejection | undefined => {
  if (event.type === "MatchStarted" || event.type === "WalkedOver") {
    return state.status === "scheduled" ? undefined : reject("match_started", "the match has already started")
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
    case "Retired":
      return undefined
  }
}

export const decideCreated = ({ payload: { format, sides } }: FeedEventOf<"MatchCreated">): Rejection | undefined => {
  const players = format.doubles ? 2 : 1
  return sides.every((side) => side.players.length === players)
    ? undefined
    : reject("wrong_players", `each side must have ${players} player${players === 1 ? "" : "s"}`)
}

const decidePoint = (state: MatchState, event: FeedEventOf<"PointPlayed">): Rejection | undefined => {
  const { game, kind, point, set, winner } = event.payload
  if (state.suspendedAt !== null) return reject("suspended", "the match is suspended; send Resumed first")
  // After a correction backwards, a repeated point could be at the position of the next point.
  const late = isNotBefore(state.correction, event)
  if (late !== undefined) return reject("late_point", late.message)
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

/** The format must allow the score, and the match must not be over at it. */
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
