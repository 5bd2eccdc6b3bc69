/**
 * Schemas of all events of a tennis match that feeds report, also called facts. Their names are in the past tense. Times
 * are epoch milliseconds (UTC). `set`, `game` and `point` count from 1 and tell where in the match a point belongs, so
 * that a repeated point is recognised.
 */
import { Schema } from "effect"
import { FactId, MatchId } from "../../ids.ts"
import { StorableText } from "../../storableText.ts"
import { MatchFormat, SideIndex } from "./format.ts"

const Name = StorableText.check(Schema.isMaxLength(120))
const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))
const Position = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))
const Score = Schema.Tuple([Count, Count])

/** A player in singles, or a pair in doubles. */
export const SideSheet = Schema.Struct({ players: Schema.Array(Name).check(Schema.isMinLength(1), Schema.isMaxLength(2)) })
export type SideSheet = typeof SideSheet.Type

export const PointKind = Schema.Literals(["normal", "ace", "double_fault"])
export type PointKind = typeof PointKind.Type

export const CorrectedSet = Schema.Struct({ games: Score, tieBreak: Schema.NullOr(Score) })
export type CorrectedSet = typeof CorrectedSet.Type

const payloads = {
  /** Creates the match. Every match starts with this event. */
  MatchCreated: Schema.Struct({ format: MatchFormat, sides: Schema.Tuple([SideSheet, SideSheet]) }),
  /** The match has started. `server` is the side that serves first. */
  MatchStarted: Schema.Struct({ server: SideIndex }),
  /**
   * In doubles, both pairs have chosen which of their players serves first in the set, as an index into the players of
   * each side. Without this event, the first player of each pair serves first. Accepted until the set's first point.
   */
  ServeOrderChosen: Schema.Struct({ set: Position, first: Schema.Tuple([SideIndex, SideIndex]) }),
  /** A point was played. An ace is won by the server, a double fault by the returner. */
  PointPlayed: Schema.Struct({ set: Position, game: Position, point: Position, winner: SideIndex, kind: PointKind }),
  /** A side has given up during the match. The other side wins. */
  Retired: Schema.Struct({ side: SideIndex }),
  /** A side did not start the match. The other side wins. */
  WalkedOver: Schema.Struct({ side: SideIndex }),
  /** Play has stopped, for example because of rain. No points are accepted until `Resumed`. */
  Suspended: Schema.Struct({ reason: Schema.optionalKey(Name) }),
  Resumed: Schema.Struct({}),
  /**
   * The umpire has corrected the score. Replaces the sets, the points of the current game and the server. `sets` ends
   * with the set in progress. `firstServer` serves the current game, or served the first point of the tie-break.
   */
  ScoreCorrected: Schema.Struct({
    sets: Schema.Array(CorrectedSet).check(Schema.isMinLength(1), Schema.isMaxLength(5)),
    points: Score,
    firstServer: SideIndex,
  }),
} as const

type Payloads = typeof payloads
export type FeedEventType = keyof Payloads

const envelope = {
  id: FactId,
  matchId: MatchId,
  /** The feed (main or backup) that reported the event. */
  source: Schema.Literals(["main", "backup"]),
  /** Time at which the event happened, according to the clock of the feed. */
  observedAt: Schema.Natural,
  /** Time at which the server received the event, according to the server's clock. */
  receivedAt: Schema.Natural,
} as const

const eventOf = <T extends FeedEventType>(type: T) => Schema.Struct({ ...envelope, type: Schema.Literal(type), payload: payloads[type] })

export const FeedEvent = Schema.Union([
  eventOf("MatchCreated"),
  eventOf("MatchStarted"),
  eventOf("ServeOrderChosen"),
  eventOf("PointPlayed"),
  eventOf("Retired"),
  eventOf("WalkedOver"),
  eventOf("Suspended"),
  eventOf("Resumed"),
  eventOf("ScoreCorrected"),
])
export type FeedEvent = typeof FeedEvent.Type

/** TypeScript type of the feed events whose `type` is `T`. */
export type FeedEventOf<T extends FeedEventType> = Extract<FeedEvent, { readonly type: T }>
