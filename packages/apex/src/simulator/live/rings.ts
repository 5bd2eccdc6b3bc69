/** When each ring of a simulated game starts to close and is closed, and the damage outside of it. */
import type { Random } from "@matchpoint/simulator/random"
import type { Happening } from "./timedFact.ts"

type RingPayload = Extract<Happening, { readonly type: "RingChanged" }>["payload"]

export interface TimedRing {
  /** Milliseconds since the start of the game. */
  readonly at: number
  readonly payload: RingPayload
}

/** Seconds from the start of the game: when the ring starts to close, and when it is closed. */
const times = [
  [150, 400],
  [580, 640],
  [760, 805],
  [900, 940],
  [1_010, 1_050],
  [1_110, 1_170],
] as const

const damages = [2, 3, 10, 20, 20, 25] as const
const radii = [620, 380, 220, 120, 60, 0] as const

/** Each centre lies within the ring before. Coordinates are in metres. */
export const ringsOf = (random: Random, game: number): ReadonlyArray<TimedRing> => {
  let [x, y, before] = [random.between(-400, 400), random.between(-400, 400), 900]
  return times.flatMap(([closing, closed], index): ReadonlyArray<TimedRing> => {
    const radius = radii[index] ?? 0
    const angle = random.between(0, 2 * Math.PI)
    const distance = random.between(0, before - radius) * 0.5
    x += distance * Math.cos(angle)
    y += distance * Math.sin(angle)
    before = radius
    const damagePerTick = damages[index] ?? null
    const ring = { game, ring: index + 1, damagePerTick, centre: { x: Math.round(x), y: Math.round(y) }, radius }
    return [
      { at: closing * 1_000, payload: { ...ring, state: "closing" } },
      { at: closed * 1_000, payload: { ...ring, state: "closed" } },
    ]
  })
}

/** The last ring is closed at this time after the start of the game. */
export const LAST_RING_MS = 1_170_000
