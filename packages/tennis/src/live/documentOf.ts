/**
 * Converts the state of a tennis match to the document and the event rows of message format v2. Pure. Sides and players
 * are numbered 0 and 1 in states, and 1 and 2 in documents.
 */
import { withoutNulls } from "@matchpoint/game/contract/withoutNulls"
import type { CompactTennisMatch } from "../contract/CompactTennisMatch.ts"
import type { TourName } from "../contract/http/data/references.ts"
import type { LiveTennisEvent, SideNumber, TennisSet } from "../contract/LiveTennisMatch.ts"
import type { FeedEvent } from "../rules/live/feedEvents.ts"
import { otherSide, type Pair, type SideIndex } from "../rules/live/format.ts"
import { momentumOf } from "../rules/live/momentum.ts"
import type { Tour } from "../rules/live/registry.ts"
import { scoreText } from "../rules/live/scores.ts"
import { stakeOf } from "../rules/live/stakes.ts"
import { type Game, type MatchState, nextPosition, serverOf, servingPlayer, type Tally } from "../rules/live/state.ts"

type Document = CompactTennisMatch

export const documentOf = (state: MatchState): Document => {
  const { endReason, endedAt, game, rules, silence, startedAt, suspendedAt, tournament, winner } = state
  return withoutNulls({
    id: state.matchId,
    status: state.status === "scheduled" ? "upcoming" : state.status,
    source: state.source,
    tour: tourName(state.tour),
    format: { best_of: rules.bestOf, final_set: rules.finalSet, no_ad: rules.noAd, doubles: rules.doubles },
    momentum: momentumOf(state.momentum),
    statistics: { is_complete: state.countsEveryPoint, side1: statisticsOf(state.tallies[0]), side2: statisticsOf(state.tallies[1]) },
    silence: silence === null ? null : { status: silence.status, since: iso(silence.since) },
    tournament: withoutNulls({
      id: tournament.editionId,
      name: tournament.name,
      surface: tournament.surface,
      level: tournament.level,
      draw_size: tournament.drawSize,
      round: tournament.round,
    }),
    side1: sideOf(state, 0),
    side2: sideOf(state, 1),
    sets: Object.fromEntries(setsOf(state).map(({ set, ...fields }) => [set, withoutNulls<Document["sets"][string]>(fields)])),
    game: game === null ? null : gameOf(state, game),
    suspended_at: isoOrNull(suspendedAt),
    winner: winner === null ? null : numberOf(winner),
    end_reason: endReason,
    score: winner === null ? null : scoreText(state, winner),
    started_at: isoOrNull(startedAt),
    ended_at: isoOrNull(endedAt),
  })
}

/** Null if the list of events does not contain the change. */
export const rowOf = ({ epoch, lastPoint, seq }: MatchState, event: FeedEvent): LiveTennisEvent | null => {
  const type = rowTypes[event.type]
  if (type === null) return null
  const row = { eventId: `${epoch}-${seq}`, type, at: iso(event.observedAt) }
  if (type !== "point" || lastPoint === null) return row
  const { game, kind, point, server, set, winner, won } = lastPoint
  return { ...row, set, game, point, server: numberOf(server), winner: numberOf(winner), kind, won }
}

const rowTypes: Readonly<Record<FeedEvent["type"], LiveTennisEvent["type"] | null>> = {
  MatchCreated: null,
  MatchStarted: "match_started",
  ServeOrderChosen: "serve_order_chosen",
  PointPlayed: "point",
  Retired: "retired",
  WalkedOver: "walkover",
  Suspended: "suspended",
  Resumed: "resumed",
  Cancelled: "cancelled",
  ScoreCorrected: "score_corrected",
  SourceChanged: null,
  FeedSilent: null,
  HistoryLost: null,
}

/** Name of a tour in responses. */
export const tourName = (tour: Tour): TourName => (tour === "atp" ? "ATP" : "WTA")

export const numberOf = (side: SideIndex): SideNumber => (side === 0 ? 1 : 2)

const iso = (at: number): string => new Date(at).toISOString()

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

const sideOf = ({ setsWon, sides }: MatchState, side: SideIndex): Document["side1"] => ({
  players: sides[side].players.map(({ id, name }) => withoutNulls({ id, name })),
  sets_won: setsWon[side],
})

const pairOf = ([side1, side2]: Pair) => ({ side1, side2 })

/** In message format v1, for webhooks too. */
export const setsOf = ({ sets }: MatchState): ReadonlyArray<TennisSet> =>
  sets.map(({ endedAt, games, tieBreak, winner }, index) => ({
    set: index + 1,
    ...pairOf(games),
    tie_break: tieBreak === null ? null : pairOf(tieBreak),
    winner: winner === null ? null : numberOf(winner),
    ended_at: isoOrNull(endedAt),
  }))

const gameOf = (state: MatchState, game: Game): NonNullable<Document["game"]> => {
  const position = nextPosition(state) ?? { set: state.sets.length, game: 1, point: 1 }
  return {
    ...position,
    is_tie_break: game.tieBreakTo !== null,
    points: { side1: pointsOf(game, 0), side2: pointsOf(game, 1) },
    server: numberOf(serverOf(state) ?? game.firstServer),
    server_player: numberOf(servingPlayer(state) ?? 0),
    stakes: withoutNulls({ side1: stakeName(state, 0), side2: stakeName(state, 1) }),
  }
}

const stakeName = (state: MatchState, side: SideIndex) => {
  const stake = stakeOf(state, side)
  return stake === null ? null : (`${stake}_point` as const)
}

const texts = ["0", "15", "30", "40"] as const

const pointsOf = ({ points, tieBreakTo }: Game, side: SideIndex): string => {
  const own = points[side]
  if (tieBreakTo !== null) return String(own)
  return own > 3 && own > points[otherSide(side)] ? "AD" : (texts[Math.min(own, 3)] ?? "40")
}

const statisticsOf = (tally: Tally) => ({
  points_won: tally.pointsWon,
  aces: tally.aces,
  double_faults: tally.doubleFaults,
  serve_points: tally.servePoints,
  serve_points_won: tally.servePointsWon,
  service_games: tally.serviceGames,
  service_games_won: tally.serviceGamesWon,
  break_points_faced: tally.breakPointsFaced,
  break_points_saved: tally.breakPointsSaved,
})
