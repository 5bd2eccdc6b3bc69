/**
 * Facts of a lobby. Their names are in the past tense. Times are epoch milliseconds (UTC). `game` is the number of the
 * game in the lobby, from 1, so that a report about an earlier game is recognised. Teams and players have the numbers of
 * the registration, from 1.
 */
import { basedOn, reportedEvents, serverEvents } from "@matchpoint/game/rules/feedEnvelope"
import { Schema } from "effect"
import { MOST_TEAMS, TEAM_SIZE } from "../archive/points.ts"
import { GameNumber, LobbySheet, Name, PlayerRef, TeamNumber } from "./lobby.ts"

const optional = Schema.optionalKey
const nullable = Schema.NullOr
const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))
const Coordinate = Schema.Finite.check(Schema.isBetween({ minimum: -1_000_000, maximum: 1_000_000 }))
const reason = optional(Name)

/** `ring` is damage outside of the ring, `other` a fall or a disconnect. */
export const DeathCause = Schema.Literals(["player", "ring", "other"])
export type DeathCause = typeof DeathCause.Type

export const RingState = Schema.Literals(["waiting", "closing", "closed"])

/** Coordinates and radius are those of the source, null if it does not state them. */
export const Ring = Schema.Struct({
  ring: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })),
  state: RingState,
  /** Damage outside of the ring per tick, in health points. */
  damagePerTick: nullable(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))),
  centre: nullable(Schema.Struct({ x: Coordinate, y: Coordinate })),
  radius: nullable(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))),
})

/** Result of a team in a game after a decision of the officials. `kills` count for points. */
export const CorrectedResult = Schema.Struct({ team: TeamNumber, placement: TeamNumber, kills: Count })
export type CorrectedResult = typeof CorrectedResult.Type

const inGame = { game: GameNumber }
const attack = { ...inGame, victim: PlayerRef, attacker: nullable(PlayerRef), weapon: optional(nullable(Name)) }
const help = { ...inGame, player: PlayerRef, by: optional(nullable(PlayerRef)) }

const payloads = {
  /** First fact of every lobby. */
  MatchCreated: LobbySheet,
  /** All teams have joined the lobby of the next game. */
  LobbyReady: Schema.Struct(inGame),
  /**
   * The first game starts the series. `legends` has the legends of each team in the order of its players.
   * `bannedLegends` are legends that no team may pick; null if they are unknown.
   */
  GameStarted: Schema.Struct({
    ...inGame,
    map: Name,
    bannedLegends: optional(nullable(Schema.Array(Name).check(Schema.isMaxLength(20)))),
    legends: optional(
      Schema.Array(Schema.Array(nullable(Name)).check(Schema.isMaxLength(TEAM_SIZE))).check(Schema.isMaxLength(MOST_TEAMS)),
    ),
  }),
  RingChanged: Schema.Struct({ ...inGame, ...Ring.fields }),
  /** `attacker` is null if no player knocked the victim down. */
  PlayerKnocked: Schema.Struct(attack),
  /**
   * The kill counts for `attacker` and its team; null: it counts for no team. For a death in the ring, the source may
   * name the last player that dealt damage. A team whose last player dies is eliminated.
   */
  PlayerKilled: Schema.Struct({
    ...attack,
    assists: optional(Schema.Array(PlayerRef).check(Schema.isMaxLength(TEAM_SIZE - 1))),
    cause: optional(DeathCause),
  }),
  PlayerRevived: Schema.Struct(help),
  PlayerRespawned: Schema.Struct(help),
  /** A team is out, for example because it has left. Not required for a team whose last player was killed. */
  TeamEliminated: Schema.Struct({ ...inGame, team: TeamNumber, placement: TeamNumber }),
  /** Sums of players since the start of the game, in health points. They replace earlier sums. */
  DamageReported: Schema.Struct({
    ...inGame,
    totals: Schema.Array(
      Schema.Struct({ player: PlayerRef, damage: Count, damageTaken: optional(Count), ringDamage: optional(Count) }),
    ).check(Schema.isMaxLength(MOST_TEAMS * TEAM_SIZE)),
  }),
  PlayerDisconnected: Schema.Struct({ ...inGame, player: PlayerRef }),
  PlayerReconnected: Schema.Struct({ ...inGame, player: PlayerRef }),
  /** At most one team is left, which has won the game. */
  GameEnded: Schema.Struct(inGame),
  /** Officials have decided the placements and kills of all teams. Ends the game if it is in progress. */
  GameCorrected: Schema.Struct({ ...inGame, results: Schema.Array(CorrectedResult).check(Schema.isMaxLength(MOST_TEAMS)) }),
  /** The game does not count, in progress or over. The next game has the next number. */
  GameCancelled: Schema.Struct({ ...inGame, reason }),
  /** The first team of the standings has won. */
  SeriesEnded: Schema.Struct({}),
  /** Play has stopped, for example because of a technical fault. */
  Suspended: Schema.Struct({ reason }),
  Resumed: Schema.Struct({}),
  /** The series will not be played, or not to its end, and has no winner. */
  Cancelled: Schema.Struct({ reason, basedOn }),
} as const

export const ReportedEvent = reportedEvents(payloads)
export type ReportedEvent = typeof ReportedEvent.Type

/** Every event of a lobby, including those that only the server creates. */
export const FeedEvent = Schema.Union([...ReportedEvent.members, ...serverEvents(ReportedEvent)])
export type FeedEvent = typeof FeedEvent.Type
export type FeedEventType = FeedEvent["type"]

export type FeedEventOf<T extends FeedEventType> = Extract<FeedEvent, { readonly type: T }>

/** Event that feeds report about an existing lobby. */
export type Fact = Exclude<ReportedEvent, FeedEventOf<"MatchCreated">>
