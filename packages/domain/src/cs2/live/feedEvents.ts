/**
 * Everything that can happen to a CS2 match, as past-tense facts. A feed adapter derives them; the match fold is the only
 * reader. Times are epoch milliseconds (UTC). `mapNumber` and `round` count from 1 and say where in the match a fact belongs.
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
  /** Other names that feeds may show. */
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

/** What a feed knows of a player at a moment. Absent fields stay as they are; counters are absolute and correct our own. */
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
  /** The player has an assist in the round in play, for KAST: of a kill that was told without it. */
  assisted: Schema.optionalKey(Schema.Literal(true)),
})
export type PlayerReport = typeof PlayerReport.Type

/** How a round ended. `unknown`: the feed told the winner only. */
export const WinType = Schema.Literals(["elimination", "bomb_exploded", "bomb_defused", "time_expired", "surrender", "unknown"])
export type WinType = typeof WinType.Type

export const ClockPhase = Schema.Literals(["freezetime", "live", "over", "timeout", "paused", "warmup"])
export type ClockPhase = typeof ClockPhase.Type

const Score = Schema.Tuple([Count, Count])
const TeamNumber = Schema.Literals([0, 1])

/** A series as a backup feed tells it: maps and scores, by team index. */
export const BackupSeries = Schema.Struct({
  maps: atMost(
    Schema.Struct({
      number: MapNumber,
      name: StorableText.check(Schema.isMaxLength(60)),
      startingCtTeam: TeamNumber,
      score: Score,
      status: Schema.Literals(["live", "completed"]),
      /** Null: it is played, or nobody told. */
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
  /** First fact of every match. */
  MatchCreated: Schema.Struct({
    bestOf: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
    teams: Schema.Tuple([TeamSheet, TeamSheet]),
    rules: MatchRules,
    eventName: Schema.optionalKey(Schema.NullOr(Name)),
    roster: Schema.optionalKey(atMost(RosterEntry, 40)),
  }),
  /** A feed shows names that are of neither team, and nothing else tells the teams apart. `teamId`: the team that a name was taken for. */
  TeamNamesUnknown: Schema.Struct({ names: atMost(Schema.Struct({ name: Name, teamId: TeamId }), 2) }),
  /** An operator says which team a name is of. Resolves unknown names, also after the end of the match. */
  TeamAliased: Schema.Struct({ aliases: atMost(Schema.Struct({ name: Name, teamId: TeamId }), 20) }),
  PlayerJoined: RosterEntry,
  /** Gone from the server: not counted among the living, statistics stay. */
  PlayerLeft: Schema.Struct({ playerId: PlayerId }),
  MapStarted: Schema.Struct({
    mapNumber: MapNumber,
    mapName: MapName,
    ctTeamId: TeamId,
    pickTeamId: Schema.optionalKey(Schema.NullOr(TeamId)),
  }),
  /**
   * The map in play begins again from 0:0: after a knife round, or a technical problem. `mapName`: another map is played instead of it; what was
   * played of the abandoned one does not count.
   */
  MapRestarted: Schema.Struct({ mapNumber: MapNumber, ctTeamId: TeamId, mapName: Schema.optionalKey(MapName) }),
  /** Freeze time begins. */
  RoundStarted: Schema.Struct({ ...inRound, ctTeamId: TeamId, players: Schema.optionalKey(atMost(PlayerReport, 40)) }),
  /** Freeze time is over, the round clock runs. */
  RoundLive: Schema.Struct(inRound),
  PlayersReported: Schema.Struct({ ...inRound, players: atMost(PlayerReport, 40) }),
  PlayerHurt: Schema.Struct({
    ...inRound,
    /** null: the world, or a bot. */
    attackerId: Schema.NullOr(PlayerId),
    victimId: PlayerId,
    weapon: WeaponName,
    /** Health taken, never more than the victim had. */
    damage: Hp,
    armorDamage: Schema.optionalKey(Hp),
    /** Health and armor left, where the feed says so. */
    hpLeft: Schema.optionalKey(Hp),
    armorLeft: Schema.optionalKey(Hp),
    /** The attacker played a bot's body: not counted to his damage. */
    attackerControlsBot: Schema.optionalKey(Schema.Boolean),
  }),
  PlayerKilled: Schema.Struct({
    ...inRound,
    /** null: the world (fall, bomb), or a bot. */
    killerId: Schema.NullOr(PlayerId),
    /** null: a bot nobody on the sheets played. */
    victimId: Schema.NullOr(PlayerId),
    assisterId: Schema.NullOr(PlayerId),
    flashAssist: Schema.optionalKey(Schema.Boolean),
    weapon: WeaponName,
    headshot: Schema.Boolean,
    throughSmoke: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    wallbang: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    /** A body of a bot was played: the kill, or the death, is the bot's and not the player's. */
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
    /** Score after the round as the feed tells it; it repairs ours after a hole in the feed. */
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
  /** A map that ends otherwise than by its score: surrender, forfeit, a draw by agreement. Null winner: drawn. */
  MapEnded: Schema.Struct({
    mapNumber: MapNumber,
    winnerTeamId: Schema.NullOr(TeamId),
    reason: Schema.Literals(["score", "surrender", "forfeit"]),
  }),
  /** A match that ends otherwise than by its maps. */
  MatchEnded: Schema.Struct({ winnerTeamId: Schema.NullOr(TeamId), reason: Schema.Literals(["completed", "forfeit", "cancelled"]) }),
  /** The watchdog found the main feed quiet, or back. */
  SourceChanged: Schema.Struct({
    source: Schema.Literals(["live", "live_backup"]),
    /** The match's seq when the watchdog decided. A hand-over to the backup is refused if the match has moved on since. */
    basedOn: Schema.optionalKey(Schema.Natural),
    /** What the backup told while it stood by, where it is past what the main feed told. */
    series: Schema.optionalKey(BackupSeries),
  }),
  /** The watchdog found all feeds silent. `basedOn`: the match's seq when it decided; refused if the match has moved on since. */
  FeedSilent: Schema.Struct({
    status: Schema.Literals(["stale", "interrupted"]),
    lastReportAt: Schema.Natural,
    basedOn: Schema.Natural,
  }),
  /** FEED lost records that this match had not folded: a new epoch begins. */
  HistoryLost: Schema.Struct({ epoch: Schema.Int.check(Schema.isGreaterThan(0)) }),
} as const

type Payloads = typeof payloads
export type FeedEventType = keyof Payloads

const envelope = {
  id: FactId,
  matchId: MatchId,
  /** Which feed told it. */
  source: Schema.Literals(["main", "backup"]),
  /** When it happened, by the feed's clock. */
  observedAt: Schema.Natural,
  /** When we received it, by our clock. */
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

/** Facts that no feed tells: an operator or the watchdog does. They are no sign of a feed, and do not move the time of the match. */
export const isOwnWord = ({ type }: Pick<FeedEvent, "type">): boolean => type === "FeedSilent" || type === "TeamAliased"

/** The event of one type. */
export type FeedEventOf<T extends FeedEventType> = Extract<FeedEvent, { readonly type: T }>

export const feedEventTypes: ReadonlyArray<FeedEventType> = Object.keys(payloads) as ReadonlyArray<FeedEventType>
