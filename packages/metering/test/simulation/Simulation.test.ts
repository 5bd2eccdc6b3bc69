/**
 * Checks that the bill equals the served usage under any failure, with simulated accounts on three gateways
 * (simulate.ts, seeds.ts).
 */
import { assert, describe, it } from "@effect/vitest"
import { embeddedMemory, postgresDatabase } from "@matchpoint/testing/databases"
import { Effect, Layer, References } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { Books } from "../Books.ts"
import { fresh, seeds } from "./seeds.ts"
import { type Outcome, type Span, simulate } from "./simulate.ts"

/** Timeout in milliseconds, minutes longer than the test takes, for busy machines. */
const patience = 300_000

const long = { steps: 150, longestMs: 60_000 }
const short = { steps: 60, longestMs: 10_000 }

const live = (seed: number, span: Span) =>
  simulate(seed, span).pipe(
    Effect.provide(TestClock.layer({ warningDelay: "1 hour" })),
    // Outages are expected here.
    Effect.provideService(References.MinimumLogLevel, "None"),
  )

const lives = (count: number, span: Span) =>
  Effect.gen(function* () {
    const outcomes: Array<Outcome> = []
    for (const seed of [...seeds, ...Array.from({ length: count }, (_, n) => fresh.first + n)]) {
      const outcome = yield* Effect.timeoutOrElse(live(seed, span), {
        duration: "60 seconds",
        orElse: () => Effect.die(new Error(`seed ${seed} of ${JSON.stringify(span)} does not end`)),
      })
      outcomes.push(outcome)
      assert.deepStrictEqual(outcome.broken, [], `seed ${seed} of ${JSON.stringify(span)}`)
    }
    // A simulation without activity would prove nothing.
    const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((all, outcome) => all + of(outcome), 0)
    const totals = { served: sum((one) => one.served), ticks: sum((one) => one.ticks), crashes: sum((one) => one.crashes) }
    for (const [name, total] of Object.entries(totals)) assert.isAbove(total, outcomes.length / 4, name)
  })

describe("the bill of simulated accounts", () => {
  it.live("on a ledger in memory", () => Effect.provide(lives(fresh.memory, long), Books.layerMemory), patience)

  it.live("on PGlite", () => Effect.provide(lives(fresh.stored, short), Layer.provide(Books.layerStored, embeddedMemory)), patience)

  const databaseUrl = inject("databaseUrl")
  it.live.skipIf(databaseUrl === null)(
    "on Postgres",
    () => Effect.provide(lives(fresh.stored, short), Layer.provide(Books.layerStored, postgresDatabase(databaseUrl ?? ""))),
    patience,
  )
})
