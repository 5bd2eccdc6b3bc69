/** Simulates single points from the serve of one side and the return of the other. No side effects. */
import type { Random } from "@matchpoint/simulator/random"
import type { PointKind } from "../../rules/live/feedEvents.ts"
import { otherSide, type SideIndex } from "../../rules/live/format.ts"
import type { Tour } from "../../rules/live/registry.ts"

/** Strength of a side. In doubles, the mean of its players. */
export interface Strength {
  /** Added to the probability of winning a point on serve. */
  readonly serve: number
  /** Subtracted from the other side's probability of winning a point on serve. */
  readonly return: number
  /** Factor of the rate of aces. */
  readonly aceFactor: number
}

interface Rates {
  /** Probability of winning a point on serve between equal sides. */
  readonly servePoint: number
  readonly ace: number
  readonly doubleFault: number
}

/** Approximate averages of the main tours. */
const singles: Readonly<Record<Tour, Rates>> = {
  atp: { servePoint: 0.64, ace: 0.085, doubleFault: 0.035 },
  wta: { servePoint: 0.57, ace: 0.045, doubleFault: 0.05 },
}

/** Pairs win more points on serve than singles players, because one of them is at the net. */
const DOUBLES_SERVE = 0.03

/** Probability that the server wins a point. */
export const servePointChance = (tour: Tour, doubles: boolean, server: Strength, returner: Strength): number =>
  Math.min(0.85, Math.max(0.35, singles[tour].servePoint + (doubles ? DOUBLES_SERVE : 0) + server.serve - returner.return))

export interface PlayedPoint {
  readonly winner: SideIndex
  readonly kind: PointKind
  readonly durationMs: number
}

export const playPoint = (random: Random, tour: Tour, server: SideIndex, chance: number, aceFactor: number): PlayedPoint => {
  const { ace, doubleFault } = singles[tour]
  const aces = Math.min(chance / 2, ace * aceFactor)
  const result = random.next()
  if (result < aces) return { winner: server, kind: "ace", durationMs: 1_000 }
  if (result > 1 - doubleFault) return { winner: otherSide(server), kind: "double_fault", durationMs: 9_000 }
  // Aces and double faults are part of the probability, so the rest of the points makes up the difference.
  const isWon = random.chance((chance - aces) / (1 - aces - doubleFault))
  const durationMs = Math.round(2_000 + Math.min(40_000, random.wait(5_000)))
  return { winner: isWon ? server : otherSide(server), kind: "normal", durationMs }
}
