/**
 * The format of a match as data: sides, modes, and what wins a map and a match. Sources: the competitive rules of the
 * league for hardpoint, search and destroy, and control. Holds no state.
 */
import { Schema } from "effect"

export const SideIndex = Schema.Literals([0, 1])
export type SideIndex = typeof SideIndex.Type

export const otherSide = (side: SideIndex): SideIndex => (side === 0 ? 1 : 0)

export type Pair = readonly [number, number]

/** Modes whose live matches are supported. `snd` is search and destroy. */
export const liveModes = ["hardpoint", "snd", "control"] as const
export const LiveMode = Schema.Literals(liveModes)
export type LiveMode = typeof LiveMode.Type

export const BestOf = Schema.Literals([1, 3, 5, 7])
export type BestOf = typeof BestOf.Type

/** Players of a team on a map. */
export const TEAM_SIZE = 4
/** Players of a team in a match, substitutes included. */
export const MAX_ROSTER = 8

/** Points (hardpoint) or rounds (search and destroy, control) that win a map. */
export const targetOf: Readonly<Record<LiveMode, number>> = { hardpoint: 250, snd: 6, control: 3 }

/** Time limit of a hardpoint map, and time after which the next hill opens, in milliseconds of play. */
export const HARDPOINT_MS = 300_000
export const HILL_MS = 60_000

/** Lives of a team in a round of control. */
export const LIVES = 30
/** Ticks that capture a zone of control. */
export const ZONE_TICKS = 3

/** A kill of the killer within this time is a trade. */
export const TRADE_MS = 5_000

export const mapsToWin = (bestOf: number): number => (bestOf + 1) / 2

export const isRoundBased = (mode: LiveMode): boolean => mode !== "hardpoint"

/** `round` counts from 1. The sides change after every round. */
export const attackerIn = (first: SideIndex, round: number): SideIndex => (round % 2 === 1 ? first : otherSide(first))
