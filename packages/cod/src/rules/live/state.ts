/**
 * The state of one match, the fold of its facts. It is plain JSON without undefined values, so that a rebuilt state
 * serializes to the same JSON text. See invariants.ts for what always holds.
 *
 * The size of a state is bounded: at most 7 maps, 16 players, 200 fact ids, and the kills of the last five seconds.
 */
import type { SharedState } from "@matchpoint/game/rules/MatchState"
import type { MapSheet, PauseReason, PlayerSheet, Site, TournamentSheet } from "./feedEvents.ts"
import { attackerIn, type BestOf, type Pair, type SideIndex } from "./format.ts"
import type { LiveLine, PackedLine } from "./lines.ts"
import type { PlayerId, TeamSlug } from "./registry.ts"

/** Increase it when the format of the state changes. */
export const STATE_FORMAT = 1

export interface Team {
  readonly slug: TeamSlug | null
  readonly name: string
  /** Players in the order in which they joined. A player keeps this position when substituted. */
  readonly players: ReadonlyArray<PlayerSheet>
  /** Positions of the players on the map. */
  readonly active: ReadonlyArray<number>
}

/** One value per side and player, by position. */
export type BySide<A> = readonly [ReadonlyArray<A>, ReadonlyArray<A>]

export interface MatchMap extends MapSheet {
  readonly status: "upcoming" | "live" | "completed"
  /** Points in hardpoint, rounds won otherwise. */
  readonly scores: Pair
  readonly winner: SideIndex | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Time in which play was suspended. */
  readonly pausedMs: number
  /** Null until the map is over. */
  readonly lines: BySide<PackedLine> | null
}

/** `hill` counts from 1 over the whole map. */
export interface Hill {
  readonly hill: number
  readonly holder: SideIndex | null
  readonly isContested: boolean
}

export interface Bomb {
  readonly site: Site
  readonly status: "planted" | "defused" | "detonated"
  readonly player: PlayerId
}

/** The last living player of a side against several opponents. */
export interface Clutch {
  readonly player: number
  readonly opponents: number
}

export interface Round {
  /** From 1. */
  readonly round: number
  /** Search and destroy: positions of the living players of each side, as bits. */
  readonly alive: Pair
  /** Control: lives left. */
  readonly lives: Pair
  readonly hasKill: boolean
  readonly bomb: Bomb | null
  readonly clutches: readonly [Clutch | null, Clutch | null]
  /** Control: ticks captured of zones A and B. */
  readonly zones: Pair
}

/** A kill of the last five seconds that can still be traded. Players are positions. */
export interface RecentKill {
  readonly killerSide: SideIndex
  readonly killer: number
  readonly victim: number
  readonly at: number
}

export interface CurrentMap {
  /** Position in the match, from 1. */
  readonly map: number
  /** Side that attacks in the first round; null in hardpoint. */
  readonly firstAttacker: SideIndex | null
  /** Feed that reported the start. Times of other feeds are not compared with it. */
  readonly source: "main" | "backup"
  /** Null between rounds, and in hardpoint. */
  readonly round: Round | null
  /** Rounds that are over. */
  readonly roundsPlayed: number
  readonly hill: Hill | null
  readonly lines: BySide<LiveLine>
  readonly recentKills: ReadonlyArray<RecentKill>
}

export interface LastKill {
  readonly side: SideIndex | null
  readonly isTrade: boolean
  readonly isFirstBlood: boolean
  readonly streak: number
}

/** The feed of the newest accepted fact, and the time of the newest fact. */
export interface Newest {
  readonly source: "main" | "backup"
  readonly at: number
}

/** Ids of accepted events that a state keeps. */
export const MAX_SEEN = 200

export interface MatchState extends SharedState {
  readonly format: typeof STATE_FORMAT
  readonly tournament: TournamentSheet
  readonly bestOf: BestOf
  readonly teams: readonly [Team, Team]
  /** Maps in the order of the veto. */
  readonly maps: ReadonlyArray<MatchMap>
  readonly mapsWon: Pair
  /** Null between maps. */
  readonly current: CurrentMap | null
  /** Newest kill of the map in progress. */
  readonly lastKill: LastKill | null
  readonly timeouts: Pair
  /** False if the statistics lack facts, because the score was corrected or history was lost. */
  readonly countsEverything: boolean
  readonly winner: SideIndex | null
  readonly endReason: "completed" | "forfeit" | "cancelled" | null
  readonly pause: { readonly reason: PauseReason; readonly side: SideIndex | null } | null
  readonly newest: Newest
  readonly corrections: number
}

/** Side and position of a player. */
export interface Place {
  readonly side: SideIndex
  readonly position: number
}

/** Place of a player of either team, active or not; undefined if the match does not have the player. */
export const placeOf = ({ teams }: Pick<MatchState, "teams">, id: PlayerId): Place | undefined => {
  for (const side of [0, 1] as const) {
    const position = teams[side].players.findIndex((player) => player.id === id)
    if (position >= 0) return { side, position }
  }
  return undefined
}

/** Undefined between maps. */
export const mapInPlay = ({ current, maps }: MatchState): MatchMap | undefined => (current === null ? undefined : maps[current.map - 1])

/** Side that attacks in the round in progress, or in the next one; null in hardpoint and between maps. */
export const attackerOf = (current: CurrentMap): SideIndex | null =>
  current.firstAttacker === null ? null : attackerIn(current.firstAttacker, current.round?.round ?? current.roundsPlayed + 1)

export const mapsStarted = ({ maps }: Pick<MatchState, "maps">): number => maps.filter(({ status }) => status !== "upcoming").length

/** Living players in a bit field of `Round.alive`. */
export const countAlive = (bits: number): number => {
  let count = 0
  for (let left = bits; left > 0; left &= left - 1) count += 1
  return count
}

/** The score decides the map: a side has reached the target. */
export const isDecided = ({ scores }: MatchMap, target: number): boolean => scores[0] >= target || scores[1] >= target
