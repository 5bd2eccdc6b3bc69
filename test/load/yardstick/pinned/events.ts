/** The fixture of the yardstick: events of a made-up match, the same in every run. */

export type Event =
  | { readonly type: "round"; readonly at: number; readonly number: number }
  | {
      readonly type: "kill"
      readonly at: number
      readonly killer: number
      readonly victim: number
      readonly weapon: string
      readonly headshot: boolean
    }
  | { readonly type: "damage"; readonly at: number; readonly attacker: number; readonly victim: number; readonly health: number }
  | { readonly type: "money"; readonly at: number; readonly player: number; readonly amount: number }
  | { readonly type: "end"; readonly at: number; readonly winner: 0 | 1 }

export const ROUNDS = 24
/** Events of one round: its start, 100 kills, damages and amounts of money, and its end. */
const INNER = 100
export const EVENTS = ROUNDS * (INNER + 2)

const weapons = ["ak47", "m4a1", "awp", "deagle", "glock", "usp_silencer"]

/** Lehmer's generator of pseudo-random numbers with the constants of Park and Miller, 0 to 1. */
const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

export const events = (seed: number): ReadonlyArray<Event> => {
  const random = randomFrom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const all: Array<Event> = []
  let at = 1_772_000_000_000
  for (let round = 1; round <= ROUNDS; round++) {
    all.push({ type: "round", at, number: round })
    for (let index = 0; index < INNER; index++) {
      at += below(2_000)
      const [one, other] = [below(5), 5 + below(5)]
      const kind = random()
      if (kind < 0.1) all.push({ type: "kill", at, killer: one, victim: other, weapon: weapons[below(6)] ?? "", headshot: random() < 0.4 })
      else if (kind < 0.7) all.push({ type: "damage", at, attacker: other, victim: one, health: 1 + below(60) })
      else all.push({ type: "money", at, player: one + 5 * below(2), amount: below(16_000) })
    }
    all.push({ type: "end", at, winner: random() < 0.5 ? 0 : 1 })
  }
  return all
}
