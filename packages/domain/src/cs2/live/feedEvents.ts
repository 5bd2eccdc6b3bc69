/**
 * All facts about a CS2 match, named in the past tense. Feed adapters create them, and only the match fold reads them.
 * Times are epoch milliseconds (UTC). `mapNumber` and `round` count from 1 and give the position of a fact in the
 * match.
 */

import { Schema } from "effect"
import { FactId } from "../../ids.ts"
import { StorableText } from "../../storableText.ts"
import { MatchId, PlayerId, TeamId } from "../ids.ts"
import { MatchRules, Side } from "./rules.ts"

const Name = StorableText.check(Schema.isMaxLength(120))
const WeaponName = StorableText.check(Schema.isMaxLength(60))
const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const Hp = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
const MapNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))
const MapName = Schema.String.check(Schema.isPattern(/^[a-z0-9_]{1,60}$/))
const RoundNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))
const inRound = { mapNumber: MapNumber, round: RoundNumber } as const
const atMost = <S extends Schema.Constraint>(schema: S, count: number) => Schema.Array(schema).check(Schema.isMaxLength(count))

export const TeamSheet = Schema.Struct({
  id: TeamId,
  name: Name,
  /** Other names that feeds may show for the team. */
  aliases: Schema.optionalKey(atMost(Name, 20)),
  logoUrl: Schema.optionalKey(Schema.NullOr(StorableText)),
})
export type TeamSheet = typeof TeamSheet.Type

export const RosterEntry = Schema.Struct({
  playerId: PlayerId,
  teamId: TeamId,
  nickname: Name,
  name: Schema.optionalKey(Schema.NullOr(Name)),
})
export type RosterEntry = typeof RosterEntry.Type

/**
 * Values of a player that a feed reports at one time. Absent fields keep their value. Counters are absolute and replace
 * those of the fold.
 */
export const PlayerReport = Schema.Struct({
  playerId: PlayerId,
  alive: Schema.optionalKey(Schema.Boolean),
  hp: Schema.optionalKey(Hp),
  armor: Schema.optionalKey(Hp),
  helmet: Schema.optionalKey(Schema.Boolean),
  defuseKit: Schema.optionalKey(Schema.Boolean),
  money: Schema.optionalKey(Count),
  equipmentValue: Schema.optionalKey(Count),
  weapon: Schema.optionalKey(Schema.NullOr(WeaponName)),
  kills: Schema.optionalKey(Schema.Int),
  assists: Schema.optionalKey(Count),
  deaths: Schema.optionalKey(Count),
  /** The player has an assist in the current round, for KAST. Set if the kill was reported without its assist. */
  assisted: Schema.optionalKey(Schema.Literal(true)),
})
export type PlayerReport = typeof PlayerReport.Type

/** How a round ended. `unknown` if the feed reported only the winner. */
export const WinType = Schema.Literals(["elimination", "bomb_exploded", "bomb_defused", "time_expired", "surrender", "unknown"])
export type WinType = typeof WinType.Type

export const ClockPhase = Schema.Literals(["freezetime", "live", "over", "timeout", "paused", "warmup"])
export type ClockPhase = typeof ClockPhase.Type

const Score = Schema.Tuple([Count, Count])
const TeamNumber = Schema.Literals([0, 1])

/** A series as a backup feed reports it: maps and scores, by team index. */
export const BackupSeries = Schema.Struct({
  maps: atMost(
    Schema.Struct({
      number: MapNumber,
      name: StorableText.check(Schema.isMaxLength(60)),
      startingCtTeam: TeamNumber,
      score: Score,
      status: Schema.Literals(["live", "completed"]),
      /** `null` if the map is live or its winner was not reported. */
      winner: Schema.NullOr(Schema.Union([TeamNumber, Schema.Literal("draw")])),
      startedAt: Schema.Natural,
      endedAt: Schema.NullOr(Schema.Natural),
    }),
    9,
  ),
  seriesScore: Score,
})
export type BackupSeries = typeof BackupSeries.Type

const payloads = {
  /** The first fact of every match. */
  MatchCreated: Schema.Struct({
    bestOf: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
    teams: Schema.Tuple([TeamSheet, TeamSheet]),
    rules: MatchRules,
    eventName: Schema.optionalKey(Schema.NullOr(Name)),
    roster: Schema.optionalKey(atMost(RosterEntry, 40)),
  }),
  /**
   * A feed shows names that match neither team, and nothing else shows which team is which. `teamId` is the team that
   * each name was assigned to.
   */
  TeamNamesUnknown: Schema.Struct({ names: atMost(Schema.Struct({ name: Name, teamId: TeamId }), 2) }),
  /** An operator assigns names to teams. Resolves unknown names, even after the end of the match. */
  TeamAliased: Schema.Struct({ aliases: atMost(Schema.Struct({ name: Name, teamId: TeamId }), 20) }),
  PlayerJoined: RosterEntry,
  /** A player has left the server. The player no longer counts as alive; the statistics stay. */
  PlayerLeft: Schema.Struct({ playerId: PlayerId }),
  MapStarted: Schema.Struct({
    mapNumber: MapNumber,
    mapName: MapName,
    ctTeamId: TeamId,
    pickTeamId: Schema.optionalKey(Schema.NullOr(TeamId)),
  }),
  /**
   * The current map restarts at 0:0, after a knife round or a technical problem. If `mapName` is set, another map
   * replaces it, and nothing that was played on the abandoned one counts.
   */
  MapRestarted: Schema.Struct({ mapNumber: MapNumber, ctTeamId: TeamId, mapName: Schema.optionalKey(MapName) }),
  /** Freeze time has started. */
  RoundStarted: Schema.Struct({ ...inRound, ctTeamId: TeamId, players: Schema.optionalKey(atMost(PlayerReport, 40)) }),
  /** Freeze time is over and the round clock runs. */
  RoundLive: Schema.Struct(inRound),
  PlayersReported: Schema.Struct({ ...inRound, players: atMost(PlayerReport, 40) }),
  PlayerHurt: Schema.Struct({
    ...inRound,
    /** `null` for the world or a bot. */
    attackerId: Schema.NullOr(PlayerId),
    victimId: PlayerId,
    weapon: WeaponName,
    /** Health taken, at most what the victim had. */
    damage: Hp,
    armorDamage: Schema.optionalKey(Hp),
    /** Remaining health and armor, if the feed reports them. */
    hpLeft: Schema.optionalKey(Hp),
    armorLeft: Schema.optionalKey(Hp),
    /** True if the attacker controlled a bot. The damage then does not count for the player. */
    attackerControlsBot: Schema.optionalKey(Schema.Boolean),
  }),
  PlayerKilled: Schema.Struct({
    ...inRound,
    /** `null` for the world (fall, bomb) or a bot. */
    killerId: Schema.NullOr(PlayerId),
    /** `null` for a bot that no known player controlled. */
    victimId: Schema.NullOr(PlayerId),
    assisterId: Schema.NullOr(PlayerId),
    flashAssist: Schema.optionalKey(Schema.Boolean),
    weapon: WeaponName,
    headshot: Schema.Boolean,
    throughSmoke: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    wallbang: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    /** True if the player controlled a bot. The kill or death then does not count for the player. */
    killerControlsBot: Schema.optionalKey(Schema.Boolean),
    victimControlsBot: Schema.optionalKey(Schema.Boolean),
  }),
  BombPickedUp: Schema.Struct({ ...inRound, playerId: PlayerId }),
  BombDropped: Schema.Struct({ ...inRound, playerId: PlayerId }),
  BombPlanted: Schema.Struct({ ...inRound, playerId: Schema.NullOr(PlayerId), site: Schema.NullOr(Schema.Literals(["A", "B"])) }),
  BombDefuseStarted: Schema.Struct({ ...inRound, playerId: PlayerId, withKit: Schema.Boolean }),
  BombDefused: Schema.Struct({ ...inRound, playerId: Schema.NullOr(PlayerId) }),
  BombExploded: Schema.Struct(inRound),
  RoundEnded: Schema.Struct({
    ...inRound,
    winner: Side,
    winType: WinType,
    /** Score after the round, as the feed reports it. After a gap in the feed, it corrects the score of the fold. */
    score: Schema.optionalKey(Schema.Struct({ ct: Count, t: Count })),
  }),
  /** The round clock as an observer sees it. */
  ClockReported: Schema.Struct({
    ...inRound,
    phase: ClockPhase,
    secondsLeft: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 3600 })),
  }),
  TimeoutCalled: Schema.Struct({ mapNumber: MapNumber, teamId: Schema.NullOr(TeamId), kind: Schema.Literals(["tactical", "technical"]) }),
  TimeoutEnded: Schema.Struct({ mapNumber: MapNumber }),
  TimeoutsReported: Schema.Struct({ mapNumber: MapNumber, remaining: atMost(Schema.Struct({ teamId: TeamId, count: Count }), 2) }),
  /**
   * The map has ended for a reason other than its score: surrender, forfeit, or an agreed draw. A winner of null means
   * a draw.
   */
  MapEnded: Schema.Struct({
    mapNumber: MapNumber,
    winnerTeamId: Schema.NullOr(TeamId),
    reason: Schema.Literals(["score", "surrender", "forfeit"]),
  }),
  /** The match has ended for a reason other than its maps. */
  MatchEnded: Schema.Struct({ winnerTeamId: Schema.NullOr(TeamId), reason: Schema.Literals(["completed", "forfeit", "cancelled"]) }),
  /** The watchdog has found that the main feed is silent, or that it is back. */
  SourceChanged: Schema.Struct({
    source: Schema.Literals(["live", "live_backup"]),
    /**
     * `seq` of the match when the watchdog decided. A switch to the backup feed is rejected if the match has changed
     * since.
     */
    basedOn: Schema.optionalKey(Schema.Natural),
    /** The series that the backup feed reported while on standby, if it is ahead of the main feed. */
    series: Schema.optionalKey(BackupSeries),
  }),
  /**
   * The watchdog has found that all feeds are silent. `basedOn` is the `seq` of the match when it decided; the event is
   * rejected if the match has changed since.
   */
  FeedSilent: Schema.Struct({
    status: Schema.Literals(["stale", "interrupted"]),
    lastReportAt: Schema.Natural,
    basedOn: Schema.Natural,
  }),
  /** FEED has lost records that this match had not folded. A new epoch starts. */
  HistoryLost: Schema.Struct({ epoch: Schema.Int.check(Schema.isGreaterThan(0)) }),
} as const

type Payloads = typeof payloads
export type FeedEventType = keyof Payloads

const envelope = {
  id: FactId,
  matchId: MatchId,
  /** The feed that reported the fact. */
  source: Schema.Literals(["main", "backup"]),
  /** Time of the fact, by the clock of the feed. */
  observedAt: Schema.Natural,
  /** Time when the server received the fact, by its own clock. */
  receivedAt: Schema.Natural,
} as const

const eventOf = <T extends FeedEventType>(type: T) => Schema.Struct({ ...envelope, type: Schema.Literal(type), payload: payloads[type] })

export const FeedEvent = Schema.Union([
  eventOf("MatchCreated"),
  eventOf("TeamNamesUnknown"),
  eventOf("TeamAliased"),
  eventOf("PlayerJoined"),
  eventOf("PlayerLeft"),
  eventOf("MapStarted"),
  eventOf("MapRestarted"),
  eventOf("RoundStarted"),
  eventOf("RoundLive"),
  eventOf("PlayersReported"),
  eventOf("PlayerHurt"),
  eventOf("PlayerKilled"),
  eventOf("BombPickedUp"),
  eventOf("BombDropped"),
  eventOf("BombPlanted"),
  eventOf("BombDefuseStarted"),
  eventOf("BombDefused"),
  eventOf("BombExploded"),
  eventOf("RoundEnded"),
  eventOf("ClockReported"),
  eventOf("TimeoutCalled"),
  eventOf("TimeoutEnded"),
  eventOf("TimeoutsReported"),
  eventOf("MapEnded"),
  eventOf("MatchEnded"),
  eventOf("SourceChanged"),
  eventOf("FeedSilent"),
  eventOf("HistoryLost"),
])
export type FeedEvent = typeof FeedEvent.Type

/**
 * Returns true for facts that come from an operator or the watchdog instead of a feed. They do not show that a feed
 * works, and do not change the times of the match.
 */
export const isOwnWord = ({ type }: Pick<FeedEvent, "type">): boolean => type === "FeedSilent" || type === "TeamAliased"

/** The event of one type. */
export type FeedEventOf<T extends FeedEventType> = Extract<FeedEvent, { readonly type: T }>

export const feedEventTypes: ReadonlyArray<FeedEventType> = Object.keys(payloads) as ReadonlyArray<FeedEventType>
