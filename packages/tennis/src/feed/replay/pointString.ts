/**
 * Point strings: one letter per point, from the view of the server. `S` and `R`: the server or the returner wins the
 * point; `A`: ace; `D`: double fault. `;` ends a game, `.` a set, and `/` marks a change of server in a tie-break.
 */
import { factId, gameName, type MatchId, matchIdOf } from "@matchpoint/domain/ids"
import type { FeedEvent, FeedEventOf, PointKind } from "../../rules/live/feedEvents.ts"
import { fold } from "../../rules/live/fold.ts"
import { type MatchFormat, otherSide, type SideIndex } from "../../rules/live/format.ts"
import { type MatchState, nextPosition, serverOf } from "../../rules/live/state.ts"
import type { PointRow } from "./pointRows.ts"

/** State after the last point of the match, and the number of points in the string after it. */
export interface FoldedString {
  readonly state: MatchState
  readonly surplus: number
}

const match: MatchId = matchIdOf(gameName("tennis"), 1)

/** Ids by number in the match, shared by all strings, because creating an id validates it. */
const ids = [factId("created"), factId("started")]
const idAt = (index: number) => {
  while (ids.length <= index) ids.push(factId(`point-${ids.length - 1}`))
  return ids[index] ?? factId(`point-${index}`)
}

const envelopeAt = (index: number) => ({ id: idAt(index), matchId: match, source: "main", observedAt: index, receivedAt: index }) as const

/** Separators are not used. */
export const foldString = (points: string, row: PointRow, format: MatchFormat): FoldedString => {
  const created: FeedEventOf<"MatchCreated"> = { ...envelopeAt(0), type: "MatchCreated", payload: createdPayload(row, format) }
  let state = accepted(undefined, created)
  state = accepted(state, { ...envelopeAt(1), type: "MatchStarted", payload: { server: 0 } })
  let surplus = 0
  for (const letter of points) {
    if (isSeparator(letter)) continue
    const server = serverOf(state)
    if (server === undefined) surplus += 1
    else state = withPoint(state, letter === "S" || letter === "A" ? server : otherSide(server), kindOf(letter))
  }
  return { state, surplus }
}

/** The recordings do not contain player ids, surface or round. */
export const createdPayload = ({ sides, tour, tournament }: PointRow, format: MatchFormat): FeedEventOf<"MatchCreated">["payload"] => {
  const sheet = (side: string) => ({
    players: (format.doubles ? side.split("/").slice(0, 2) : [side]).map((name) => ({ id: null, name: name.slice(0, 120) })),
  })
  return {
    tour: tour.toLowerCase() === "wta" ? "wta" : "atp",
    tournament: { name: tournament.slice(0, 120), editionId: null, surface: null, level: null, drawSize: null, round: null },
    format,
    sides: [sheet(sides[0]), sheet(sides[1])],
  }
}

export const isSeparator = (letter: string): boolean => letter === ";" || letter === "." || letter === "/"

/** The match must be live. */
export const withPoint = (state: MatchState, winner: SideIndex, kind: PointKind): MatchState => {
  const next = nextPosition(state)
  if (next === undefined) return state
  return accepted(state, { ...envelopeAt(state.seq), type: "PointPlayed", payload: { ...next, winner, kind } })
}

export const kindOf = (letter: string): PointKind => (letter === "A" ? "ace" : letter === "D" ? "double_fault" : "normal")

const accepted = (state: MatchState | undefined, event: FeedEvent): MatchState => {
  const step = fold(state, event)
  if (step._tag === "Accepted") return step.state
  // Points are sent only while a game is in progress and at the position that the state expects.
  throw new Error(`the fold rejected ${event.type}: ${step.rejection.code}: ${step.rejection.message}`)
}
