/**
 * Facts of a Call of Duty match. Their names are in the past tense. Times are epoch milliseconds (UTC). `map` and
 * `round` count from 1 and state to which part of the match a fact belongs, so that a late fact is recognised. Players
 * are named by the ids of `MatchCreated`.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { basedOn, reportedEvents, serverEvents } from "@matchpoint/game/rules/feedEnvelope"
import { Schema } from "effect"
import { BestOf, LiveMode, MAX_ROSTER, SideIndex, TEAM_SIZE, ZONE_TICKS } from "./format.ts"
import { PlayerId, TeamSlug, TournamentId } from "./registry.ts"

const Name = StorableText.check(Schema.isMaxLength(80))
const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const Position = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))
const Score = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 250 }))
const Reason = Schema.optionalKey(Name)

export const PlayerSheet = Schema.Struct({ id: PlayerId, ign: Name })
export type PlayerSheet = typeof PlayerSheet.Type

/** `slug` is the id in the archive; null if it is unknown. The first four players start. */
export const TeamSheet = Schema.Struct({
  slug: Schema.NullOr(TeamSlug),
  name: Name,
  players: Schema.Array(PlayerSheet).check(Schema.isMinLength(TEAM_SIZE), Schema.isMaxLength(MAX_ROSTER)),
})
export type TeamSheet = typeof TeamSheet.Type

/** `id` is the id in the archive; null if it is unknown. */
export const TournamentSheet = Schema.Struct({
  id: Schema.NullOr(TournamentId),
  name: Name,
  /** Part of the tournament, such as `Winners Round 1`. */
  round: Schema.NullOr(Name),
  isLan: Schema.NullOr(Schema.Boolean),
})
export type TournamentSheet = typeof TournamentSheet.Type

/** `pickedBy` is the team that chose the map in the veto; null if no team did. */
export const MapSheet = Schema.Struct({ name: Name, mode: LiveMode, pickedBy: Schema.NullOr(SideIndex) })
export type MapSheet = typeof MapSheet.Type

const Maps = Schema.Array(MapSheet).check(Schema.isMaxLength(7))

/** Values of a player on a map that the game reports as sums. They replace earlier ones. */
export const ReportedLine = Schema.Struct({
  player: PlayerId,
  damage: Schema.optionalKey(Count),
  /** Seconds. */
  hillTime: Schema.optionalKey(Count),
})
export type ReportedLine = typeof ReportedLine.Type

const Lines = Schema.Array(ReportedLine).check(Schema.isMaxLength(2 * MAX_ROSTER))
const inRound = { map: Position, round: Position } as const

export const RoundReason = Schema.Literals(["elimination", "detonation", "defuse", "zones", "time"])
export type RoundReason = typeof RoundReason.Type

export const Site = Schema.Literals(["a", "b"])
export type Site = typeof Site.Type

export const PauseReason = Schema.Literals(["timeout", "technical", "other"])
export type PauseReason = typeof PauseReason.Type

const payloads = {
  /** First fact of every match. `maps` is empty if the veto is not known yet. */
  MatchCreated: Schema.Struct({
    tournament: TournamentSheet,
    bestOf: BestOf,
    teams: Schema.Tuple([TeamSheet, TeamSheet]),
    maps: Maps,
  }),
  /** The veto is over, or its result has changed. Lists all maps from the first; maps that have started stay the same. */
  MapsChosen: Schema.Struct({ maps: Maps.check(Schema.isMinLength(1)) }),
  MatchStarted: Schema.Struct({}),
  /** `attacker` is the team that attacks in the first round; null in hardpoint. */
  MapStarted: Schema.Struct({ map: Position, attacker: Schema.NullOr(SideIndex) }),
  /** A round of search and destroy or control has started. */
  RoundStarted: Schema.Struct(inRound),
  /**
   * `attacker` is null if no player caused the death. `round` is required in modes with rounds. `assists` are teammates
   * of the attacker.
   */
  PlayerKilled: Schema.Struct({
    map: Position,
    round: Schema.optionalKey(Position),
    attacker: Schema.NullOr(PlayerId),
    victim: PlayerId,
    weapon: Schema.optionalKey(Name),
    assists: Schema.Array(PlayerId).check(Schema.isMaxLength(TEAM_SIZE - 1)),
  }),
  /** The hill in hardpoint has a new state: the next one has opened, or another team holds it. `hill` counts from 1. */
  HillChanged: Schema.Struct({ map: Position, hill: Position, holder: Schema.NullOr(SideIndex), isContested: Schema.Boolean }),
  /** `score` is the new score of the team. Each of `players` was on the hill for the new points. */
  HillScored: Schema.Struct({
    map: Position,
    side: SideIndex,
    score: Score.check(Schema.isGreaterThan(0)),
    players: Schema.Array(PlayerId).check(Schema.isMaxLength(TEAM_SIZE)),
  }),
  /** Search and destroy: an attacker has planted the bomb. */
  BombPlanted: Schema.Struct({ ...inRound, player: PlayerId, site: Site }),
  BombDefused: Schema.Struct({ ...inRound, player: PlayerId }),
  BombDetonated: Schema.Struct(inRound),
  /** Control: attackers have captured the n-th tick of a zone. */
  ZoneTicked: Schema.Struct({
    ...inRound,
    zone: Site,
    tick: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: ZONE_TICKS })),
    players: Schema.Array(PlayerId).check(Schema.isMaxLength(TEAM_SIZE)),
  }),
  RoundEnded: Schema.Struct({ ...inRound, winner: SideIndex, reason: RoundReason }),
  /** Damage and hill time of players on the map in progress, as the game counts them. */
  StatisticsReported: Schema.Struct({ map: Position, players: Lines }),
  /** `isForfeit`: the other team gave the map up, so the score does not decide. */
  MapEnded: Schema.Struct({
    map: Position,
    winner: SideIndex,
    isForfeit: Schema.optionalKey(Schema.Boolean),
    statistics: Schema.optionalKey(Lines),
  }),
  /** The map in progress, or the last one that ended, is void and is played again from 0-0. */
  MapReplayed: Schema.Struct({ map: Position, reason: Reason }),
  /** Player `in` replaced player `out`. A new player joins the team. */
  PlayerSubstituted: Schema.Struct({ side: SideIndex, out: PlayerId, in: PlayerSheet }),
  /** Play has stopped: a timeout of a team, or a technical problem. No play is accepted until `Resumed`. */
  Suspended: Schema.Struct({ reason: PauseReason, side: Schema.NullOr(SideIndex) }),
  Resumed: Schema.Struct({}),
  /** An official has corrected the score. `maps` has the score of every map that has started, in order. */
  ScoreCorrected: Schema.Struct({
    maps: Schema.Array(Schema.Tuple([Score, Score])).check(Schema.isMinLength(1), Schema.isMaxLength(7)),
  }),
  /** A team has given up the match, before or during it. The other team wins. */
  Forfeited: Schema.Struct({ side: SideIndex }),
  /** The match will not be played, or not to its end, and has no winner. */
  Cancelled: Schema.Struct({ reason: Reason, basedOn }),
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
