/**
 * Schemas of all facts (events that feeds report) of a CS2 match, with names in the past tense. Feed adapters create
 * them, and only the code that computes the match state reads them. Times are epoch milliseconds (UTC). `mapNumber` and
 * `round` count from 1 and state to which map and round a fact belongs.
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
/** Regulation rounds, if the feed shows that those of the registration are wrong. */
const maxRounds = Schema.optionalKey(MatchRules.fields.maxRounds)
const atMost = <S extends Schema.Constraint>(schema: S, count: number) => Schema.Array(schema).check(Schema.isMaxLength(count))

export const TeamSheet = Schema.Struct({
  id: TeamId,
  name: Name,
  /** Other names that feeds may use. */
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
 * Values of a player at one point in time. If a field is absent, the match state does not change. Counters are totals
 * and replace those of the match state.
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
  /** The player has an assist in the current round. Needed for KAST if the kill was reported without its assist. */
  assisted: Schema.optionalKey(Schema.Literal(true)),
})
export type PlayerReport = typeof PlayerReport.Type

/** `unknown` if the feed reported only the winner. */
export const WinType = Schema.Literals(["elimination", "bomb_exploded", "bomb_defused", "time_expired", "surrender", "unknown"])
export type WinType = typeof WinType.Type

export const ClockPhase = Schema.Literals(["freezetime", "live", "over", "timeout", "paused", "warmup"])
export type ClockPhase = typeof ClockPhase.Type

const Score = Schema.Tuple([Count, Count])
const TeamNumber = Schema.Literals([0, 1])

/** Maps and scores by a backup feed. Teams are identified by their index, 0 or 1. */
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
  /** The first event of every match. */
  MatchCreated: Schema.Struct({
    bestOf: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
    teams: Schema.Tuple([TeamSheet, TeamSheet]),
    rules: MatchRules,
    eventName: Schema.optionalKey(Schema.NullOr(Name)),
    roster: Schema.optionalKey(atMost(RosterEntry, 40)),
  }),
  /**
   * A feed has used names that belong to neither team, and nothing else in its data shows which is meant. `teamId` is
   * the team to which a name was provisionally assigned.
   */
  TeamNamesUnknown: Schema.Struct({ names: atMost(Schema.Struct({ name: Name, teamId: TeamId }), 2) }),
  /** An operator has assigned names to teams. Resolves unknown names, even after the end of the match. */
  TeamAliased: Schema.Struct({ aliases: atMost(Schema.Struct({ name: Name, teamId: TeamId }), 20) }),
  PlayerJoined: RosterEntry,
  /** Left the server: the player no longer counts as alive, but keeps the statistics. */
  PlayerLeft: Schema.Struct({ playerId: PlayerId }),
  MapStarted: Schema.Struct({
    mapNumber: MapNumber,
    mapName: MapName,
    ctTeamId: TeamId,
    pickTeamId: Schema.optionalKey(Schema.NullOr(TeamId)),
    maxRounds,
  }),
  /**
   * Restarts the map at 0:0, after a knife round or a technical problem, and discards what was played on it. If
   * `mapName` is set, that map replaces the current one.
   */
  MapRestarted: Schema.Struct({ mapNumber: MapNumber, ctTeamId: TeamId, mapName: Schema.optionalKey(MapName) }),
  /** A round begins with freeze time. */
  RoundStarted: Schema.Struct({
    ...inRound,
    ctTeamId: TeamId,
    players: Schema.optionalKey(atMost(PlayerReport, 40)),
    maxRounds,
  }),
  /** Freeze time is over and the round clock is running. */
  RoundLive: Schema.Struct(inRound),
  PlayersReported: Schema.Struct({ ...inRound, players: atMost(PlayerReport, 40) }),
  PlayerHurt: Schema.Struct({
    ...inRound,
    /** `null` if the damage came from the environment or a bot. */
    attackerId: Schema.NullOr(PlayerId),
    victimId: PlayerId,
    weapon: WeaponName,
    /** At most the health that the victim had left. */
    damage: Hp,
    armorDamage: Schema.optionalKey(Hp),
    /** Remaining health and armor of the victim, if the feed reports them. */
    hpLeft: Schema.optionalKey(Hp),
    armorLeft: Schema.optionalKey(Hp),
    /** If true, the damage does not count for the player. */
    attackerControlsBot: Schema.optionalKey(Schema.Boolean),
  }),
  PlayerKilled: Schema.Struct({
    ...inRound,
    /** `null` for the environment (fall, bomb) or a bot. */
    killerId: Schema.NullOr(PlayerId),
    /** `null` for a bot that no known player controlled. */
    victimId: Schema.NullOr(PlayerId),
    assisterId: Schema.NullOr(PlayerId),
    flashAssist: Schema.optionalKey(Schema.Boolean),
    weapon: WeaponName,
    headshot: Schema.Boolean,
    throughSmoke: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    wallbang: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    /** True if that player controlled a bot. The kill or the death then does not count for the player. */
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
    /** Score of the map after the round. After a gap in the feed, it corrects the score of the match state. */
    score: Schema.optionalKey(Schema.Struct({ ct: Count, t: Count })),
  }),
  /** Phase and remaining time of the round clock. */
  ClockReported: Schema.Struct({
    ...inRound,
    phase: ClockPhase,
    secondsLeft: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 3600 })),
  }),
  TimeoutCalled: Schema.Struct({ mapNumber: MapNumber, teamId: Schema.NullOr(TeamId), kind: Schema.Literals(["tactical", "technical"]) }),
  TimeoutEnded: Schema.Struct({ mapNumber: MapNumber }),
  TimeoutsReported: Schema.Struct({ mapNumber: MapNumber, remaining: atMost(Schema.Struct({ teamId: TeamId, count: Count }), 2) }),
  /**
   * Usually the score ends a map without this event; surrenders, forfeits and agreed draws need it. If `winnerTeamId`
   * is null, the map is a draw.
   */
  MapEnded: Schema.Struct({
    mapNumber: MapNumber,
    winnerTeamId: Schema.NullOr(TeamId),
    reason: Schema.Literals(["score", "surrender", "forfeit"]),
  }),
  /** Usually the results of the maps end a match without this event. */
  MatchEnded: Schema.Struct({
    winnerTeamId: Schema.NullOr(TeamId),
    reason: Schema.Literals(["completed", "forfeit", "cancelled"]),
    basedOn,
  }),
  /** The watchdog has detected that the main feed is silent or that it is back. */
  SourceChanged: Schema.Struct({
    source: Schema.Literals(["live", "live_backup"]),
    /**
     * `seq` of the match when the watchdog decided. A switch to the backup feed is rejected if the match has changed
     * since.
     */
    basedOn,
    /** Report of the backup feed while the main feed was in use. Set only if it is ahead of the main feed. */
    series: Schema.optionalKey(BackupSeries),
  }),
  /** The watchdog has found all feeds silent. Rejected if the `seq` of the match is no longer `basedOn`. */
  FeedSilent: Schema.Struct({
    status: Schema.Literals(["stale", "interrupted"]),
    lastReportAt: Schema.Natural,
    basedOn: Schema.Natural,
  }),
  /** FEED lost records of this match before they were applied to its state, so the match starts a new epoch. */
  HistoryLost: Schema.Struct({ epoch: Schema.Int.check(Schema.isGreaterThan(0)) }),
} as const

type Payloads = typeof payloads
export type FeedEventType = keyof Payloads

const envelope = {
  id: FactId,
  matchId: MatchId,
  /** The feed (main or backup) that reported the event. */
  source: Schema.Literals(["main", "backup"]),
  /** Time of the event, by the clock of the feed. */
  observedAt: Schema.Natural,
  /** Time of receipt, by the server's clock. */
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
 * Events of an operator, or of the watchdog when it detects silence. They do not prove that a feed works, and they do
 * not change the times of the match.
 */
export const isServerEvent = ({ type }: Pick<FeedEvent, "type">): boolean => type === "FeedSilent" || type === "TeamAliased"

export type FeedEventOf<T extends FeedEventType> = Extract<FeedEvent, { readonly type: T }>

export const feedEventTypes: ReadonlyArray<FeedEventType> = Object.keys(payloads) as ReadonlyArray<FeedEventType>
