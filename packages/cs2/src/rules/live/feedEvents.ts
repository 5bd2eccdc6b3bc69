/**
 * Schemas of all events of a CS2 match that feeds report, also called facts. Their names are in the past tense. Feed
 * adapters create the events, and only the code that computes the match state reads them. Times are epoch milliseconds
 * (UTC). `mapNumber` and `round` count from 1 and tell to which map and round an event belongs.
 */
import { FactId } from "@matchpoint/domain/ids"
import { StorableText } from "@matchpoint/domain/storableText"
import { basedOn } from "@matchpoint/game/rules/feedEnvelope"
import { Schema } from "effect"
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
/** Regulation rounds of the match, if the feed shows that those of the registration are wrong. */
const maxRounds = Schema.optionalKey(MatchRules.fields.maxRounds)
const atMost = <S extends Schema.Constraint>(schema: S, count: number) => Schema.Array(schema).check(Schema.isMaxLength(count))

export const TeamSheet = Schema.Struct({
  id: TeamId,
  name: Name,
  /** Other names by which feeds may refer to the team. */
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
 * Values of a player that a feed reports at one point in time. If a field is absent, the value in the match state does
 * not change. Counters are totals and replace those of the match state.
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
  /**
   * True if the player has an assist in the current round. Needed for KAST (kill, assist, survival, traded) if the feed
   * reported the kill without its assist.
   */
  assisted: Schema.optionalKey(Schema.Literal(true)),
})
export type PlayerReport = typeof PlayerReport.Type

/** How a round was won. The value is `unknown` if the feed reported only the winner. */
export const WinType = Schema.Literals(["elimination", "bomb_exploded", "bomb_defused", "time_expired", "surrender", "unknown"])
export type WinType = typeof WinType.Type

export const ClockPhase = Schema.Literals(["freezetime", "live", "over", "timeout", "paused", "warmup"])
export type ClockPhase = typeof ClockPhase.Type

const Score = Schema.Tuple([Count, Count])
const TeamNumber = Schema.Literals([0, 1])

/** A series as a backup feed reports it: maps and scores. Teams are identified by their index, 0 or 1. */
export const BackupSeries = Schema.Struct({
  maps: atMost(
    Schema.Struct({
      number: MapNumber,
      name: StorableText.check(Schema.isMaxLength(60)),
      startingCtTeam: TeamNumber,
      score: Score,
      status: Schema.Literals(["live", "completed"]),
      /** Winner of the map; `null` if the map is live or its winner was not reported. */
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
  /** Creates the match. Every match starts with this event. */
  MatchCreated: Schema.Struct({
    bestOf: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
    teams: Schema.Tuple([TeamSheet, TeamSheet]),
    rules: MatchRules,
    eventName: Schema.optionalKey(Schema.NullOr(Name)),
    roster: Schema.optionalKey(atMost(RosterEntry, 40)),
  }),
  /**
   * A feed has used names that belong to neither team, and nothing else in its data shows which team is meant. For each
   * name, `teamId` is the team to which it was provisionally assigned.
   */
  TeamNamesUnknown: Schema.Struct({ names: atMost(Schema.Struct({ name: Name, teamId: TeamId }), 2) }),
  /** An operator has assigned names to teams. This resolves unknown names, even after the end of the match. */
  TeamAliased: Schema.Struct({ aliases: atMost(Schema.Struct({ name: Name, teamId: TeamId }), 20) }),
  PlayerJoined: RosterEntry,
  /** A player has left the server. The player no longer counts as alive, but the player's statistics are kept. */
  PlayerLeft: Schema.Struct({ playerId: PlayerId }),
  MapStarted: Schema.Struct({
    mapNumber: MapNumber,
    mapName: MapName,
    ctTeamId: TeamId,
    pickTeamId: Schema.optionalKey(Schema.NullOr(TeamId)),
    maxRounds,
  }),
  /**
   * The current map restarts at 0:0, after a knife round or a technical problem. Everything that was played on it
   * before is discarded. If `mapName` is set, that map replaces the current one.
   */
  MapRestarted: Schema.Struct({ mapNumber: MapNumber, ctTeamId: TeamId, mapName: Schema.optionalKey(MapName) }),
  /** A round has started. It begins with freeze time. */
  RoundStarted: Schema.Struct({
    ...inRound,
    ctTeamId: TeamId,
    players: Schema.optionalKey(atMost(PlayerReport, 40)),
    maxRounds,
  }),
  /** The freeze time of a round is over and the round clock is running. */
  RoundLive: Schema.Struct(inRound),
  PlayersReported: Schema.Struct({ ...inRound, players: atMost(PlayerReport, 40) }),
  PlayerHurt: Schema.Struct({
    ...inRound,
    /** The player that caused the damage; `null` if the damage came from the environment or a bot. */
    attackerId: Schema.NullOr(PlayerId),
    victimId: PlayerId,
    weapon: WeaponName,
    /** Health taken from the victim; at most the health that the victim had left. */
    damage: Hp,
    armorDamage: Schema.optionalKey(Hp),
    /** Remaining health and armor of the victim, if the feed reports them. */
    hpLeft: Schema.optionalKey(Hp),
    armorLeft: Schema.optionalKey(Hp),
    /** True if the attacker controlled a bot. In that case the damage does not count for the player. */
    attackerControlsBot: Schema.optionalKey(Schema.Boolean),
  }),
  PlayerKilled: Schema.Struct({
    ...inRound,
    /** The player that made the kill; `null` if the victim was killed by the environment (fall, bomb) or by a bot. */
    killerId: Schema.NullOr(PlayerId),
    /** The player that was killed; `null` if the victim was a bot that no known player controlled. */
    victimId: Schema.NullOr(PlayerId),
    assisterId: Schema.NullOr(PlayerId),
    flashAssist: Schema.optionalKey(Schema.Boolean),
    weapon: WeaponName,
    headshot: Schema.Boolean,
    throughSmoke: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    wallbang: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    /**
     * `killerControlsBot` and `victimControlsBot` are true if that player controlled a bot. In that case the kill or
     * the death does not count for the player.
     */
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
    /**
     * Score of the map after the round, as the feed reports it. After a gap in the feed, this score corrects the score
     * of the match state.
     */
    score: Schema.optionalKey(Schema.Struct({ ct: Count, t: Count })),
  }),
  /** A feed has reported the current phase and remaining time of the round clock. */
  ClockReported: Schema.Struct({
    ...inRound,
    phase: ClockPhase,
    secondsLeft: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 3600 })),
  }),
  TimeoutCalled: Schema.Struct({ mapNumber: MapNumber, teamId: Schema.NullOr(TeamId), kind: Schema.Literals(["tactical", "technical"]) }),
  TimeoutEnded: Schema.Struct({ mapNumber: MapNumber }),
  TimeoutsReported: Schema.Struct({ mapNumber: MapNumber, remaining: atMost(Schema.Struct({ teamId: TeamId, count: Count }), 2) }),
  /**
   * The map has ended, as the feed reports it. Usually the score ends a map without this event; surrenders, forfeits and
   * agreed draws need it. If `winnerTeamId` is null, the map is a draw.
   */
  MapEnded: Schema.Struct({
    mapNumber: MapNumber,
    winnerTeamId: Schema.NullOr(TeamId),
    reason: Schema.Literals(["score", "surrender", "forfeit"]),
  }),
  /** The match has ended, as the feed reports it. Usually the results of the maps end a match without this event. */
  MatchEnded: Schema.Struct({
    winnerTeamId: Schema.NullOr(TeamId),
    reason: Schema.Literals(["completed", "forfeit", "cancelled"]),
    basedOn,
  }),
  /**
   * The watchdog switches the match to the other feed, because it has detected that the main feed is silent or that it
   * is back.
   */
  SourceChanged: Schema.Struct({
    source: Schema.Literals(["live", "live_backup"]),
    /**
     * Sequence number (`seq`) of the match when the watchdog decided to switch. A switch to the backup feed is rejected
     * if the match has changed since that decision.
     */
    basedOn,
    /**
     * Maps and scores that the backup feed reported while the main feed was in use. Set only if they are ahead of the
     * main feed.
     */
    series: Schema.optionalKey(BackupSeries),
  }),
  /**
   * The watchdog has detected that all feeds are silent. `basedOn` is the `seq` of the match at the time of the
   * detection; the event is rejected if the match has changed since.
   */
  FeedSilent: Schema.Struct({
    status: Schema.Literals(["stale", "interrupted"]),
    lastReportAt: Schema.Natural,
    basedOn: Schema.Natural,
  }),
  /**
   * The FEED stream has lost records of this match before they were applied to its state. The match therefore starts a
   * new epoch.
   */
  HistoryLost: Schema.Struct({ epoch: Schema.Int.check(Schema.isGreaterThan(0)) }),
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
 * Returns true for events that are not created by a feed but by an operator, or by the watchdog when it detects
 * silence. Such events do not prove that a feed works, and they do not change the times of the match.
 */
export const isServerEvent = ({ type }: Pick<FeedEvent, "type">): boolean => type === "FeedSilent" || type === "TeamAliased"

/** TypeScript type of the feed events whose `type` is `T`. */
export type FeedEventOf<T extends FeedEventType> = Extract<FeedEvent, { readonly type: T }>

export const feedEventTypes: ReadonlyArray<FeedEventType> = Object.keys(payloads) as ReadonlyArray<FeedEventType>
