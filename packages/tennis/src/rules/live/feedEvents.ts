/**
 * Facts of a tennis match. Their names are in the past tense. Times are epoch milliseconds (UTC). `set`, `game` and
 * `point` count from 1 and tell where in the match a point belongs, so that a repeated point is recognised.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { basedOn, reportedEvents, serverEvents } from "@matchpoint/game/rules/feedEnvelope"
import { Schema } from "effect"
import { MatchFormat, SideIndex } from "./format.ts"
import { EditionId, PlayerId, Surface, Tour } from "./registry.ts"

const Name = StorableText.check(Schema.isMaxLength(120))
const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))
const Position = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))
const ShortText = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{1,8}$/u))
const Score = Schema.Tuple([Count, Count])

/** `id` is the id in the archive; null if it is unknown. */
export const PlayerSheet = Schema.Struct({ id: Schema.NullOr(PlayerId), name: Name })
export type PlayerSheet = typeof PlayerSheet.Type

/** A player in singles, or a pair in doubles. */
export const SideSheet = Schema.Struct({ players: Schema.Array(PlayerSheet).check(Schema.isMinLength(1), Schema.isMaxLength(2)) })
export type SideSheet = typeof SideSheet.Type

/** `editionId` is the edition in the archive, such as `atp_2023-580`. Every field except the name is null if it is unknown. */
export const TournamentSheet = Schema.Struct({
  name: Name,
  editionId: Schema.NullOr(EditionId),
  surface: Schema.NullOr(Surface),
  level: Schema.NullOr(ShortText),
  drawSize: Schema.NullOr(Position),
  /** Round in the notation of the archive: `F`, `SF`, `QF`, `R16`, `RR`, `Q1`, ... */
  round: Schema.NullOr(ShortText),
})
export type TournamentSheet = typeof TournamentSheet.Type

export const PointKind = Schema.Literals(["normal", "ace", "double_fault"])
export type PointKind = typeof PointKind.Type

export const CorrectedSet = Schema.Struct({ games: Score, tieBreak: Schema.NullOr(Score) })
export type CorrectedSet = typeof CorrectedSet.Type

const payloads = {
  /** First fact of every match. */
  MatchCreated: Schema.Struct({
    tour: Tour,
    tournament: TournamentSheet,
    format: MatchFormat,
    sides: Schema.Tuple([SideSheet, SideSheet]),
  }),
  /** `server` is the side that serves first. */
  MatchStarted: Schema.Struct({ server: SideIndex }),
  /**
   * In doubles, both pairs have chosen which of their players serves first in the set, as an index into the players of
   * each side. Without this event, the first player of each pair serves first. Accepted until the set's first point.
   */
  ServeOrderChosen: Schema.Struct({ set: Position, first: Schema.Tuple([SideIndex, SideIndex]) }),
  /** An ace is won by the server, a double fault by the returner. */
  PointPlayed: Schema.Struct({ set: Position, game: Position, point: Position, winner: SideIndex, kind: PointKind }),
  /** A side has given up during the match. The other side wins. */
  Retired: Schema.Struct({ side: SideIndex }),
  /** A side did not start the match. The other side wins. */
  WalkedOver: Schema.Struct({ side: SideIndex }),
  /** Play has stopped, for example because of rain. No points are accepted until `Resumed`. */
  Suspended: Schema.Struct({ reason: Schema.optionalKey(Name) }),
  Resumed: Schema.Struct({}),
  /** The match will not be played, or not to its end, and has no winner. */
  Cancelled: Schema.Struct({ reason: Schema.optionalKey(Name), basedOn }),
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

export const ReportedEvent = reportedEvents(payloads)
export type ReportedEvent = typeof ReportedEvent.Type

/** Every event of a match, including those that only the server creates. */
export const FeedEvent = Schema.Union([...ReportedEvent.members, ...serverEvents(ReportedEvent)])
export type FeedEvent = typeof FeedEvent.Type
export type FeedEventType = FeedEvent["type"]

export type FeedEventOf<T extends FeedEventType> = Extract<FeedEvent, { readonly type: T }>

/** Event that feeds report about an existing match. */
export type Fact = Exclude<ReportedEvent, FeedEventOf<"MatchCreated">>
