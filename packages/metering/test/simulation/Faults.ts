/** Faults of the connection between gateways and ledger: none, or one of the ways in which a database can fail. */
import type { SettleAnswer } from "@matchpoint/domain/metering/leases"
import type { Random } from "@matchpoint/simulator/random"
import { Effect } from "effect"
import { LedgerError } from "../../src/Ledger.ts"

const fates = ["refused", "lost answer", "silence", "late"] as const
export type Fate = (typeof fates)[number]

export class Faults {
  /** Probability that an exchange fails. */
  probability = 0
  outage = false
  /** Number of exchanges in progress, including late ones that are still to be stored. */
  inFlight = 0
  readonly #late: Array<Effect.Effect<void>> = []
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  apply(settle: Effect.Effect<SettleAnswer, LedgerError>): Effect.Effect<SettleAnswer, LedgerError> {
    return Effect.suspend(() => {
      const stored = this.#counted(settle)
      const fate = this.#fate()
      switch (fate) {
        case undefined:
          return stored
        case "refused":
          return Effect.fail(new LedgerError({ cause: fate }))
        case "lost answer":
          return Effect.andThen(Effect.uninterruptible(stored), Effect.fail(new LedgerError({ cause: fate })))
        case "silence":
          return Effect.never
        case "late":
          this.#late.push(Effect.asVoid(Effect.orDie(stored)))
          return Effect.never
      }
    })
  }

  /** Stores the late exchanges now. */
  readonly land = Effect.suspend(() => Effect.forEach(this.#late.splice(0), (stored) => stored, { discard: true }))

  /** Stores an exchange to its end once it has begun, even if its caller is interrupted. */
  #counted<A, E>(settle: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      this.inFlight += 1
      return Effect.ensuring(
        Effect.uninterruptible(settle),
        Effect.sync(() => {
          this.inFlight -= 1
        }),
      )
    })
  }

  #fate(): Fate | undefined {
    if (this.outage) return this.#random.pick(["refused", "silence"])
    return this.#random.chance(this.probability) ? this.#random.pick(fates) : undefined
  }
}
