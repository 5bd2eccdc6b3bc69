/**
 * The bill equals what was served, whatever fails: random lives of accounts on three gateways (simulate.ts). More of them:
 * `SIMULATIONS=2000 FIRST_SEED=1 vitest run packages/metering/test/simulation`.
 */
import { assert, describe, it } from "@effect/vitest"
import { Embedded } from "@matchpoint/store/Embedded"
import { Postgres } from "@matchpoint/store/Postgres"
import { Effect, Layer, References } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { temporaryDatabase } from "../../../../test/fixtures/temporaryDatabase.ts"
import { Books } from "../books.ts"
import { seeds } from "./seeds.ts"
import { type Outcome, type Span, simulate } from "./simulate.ts"

const minutes = 60_000

const live = (seed: number, span: Span) =>
  simulate(seed, span).pipe(
    Effect.provide(TestClock.layer({ warningDelay: "1 hour" })),
    // Outages are the point here.
    Effect.provideService(References.MinimumLogLevel, "None"),
  )

const livesOf = (count: number, first: number, span: Span) =>
  Effect.gen(function* () {
    const outcomes: Array<Outcome> = []
    for (const seed of [...seeds, ...Array.from({ length: count }, (_, n) => first + n)]) {
      const outcome = yield* Effect.timeoutOrElse(live(seed, span), {
        duration: "60 seconds",
        orElse: () => Effect.die(new Error(`seed ${seed} of ${JSON.stringify(span)} does not come to an end`)),
      })
      outcomes.push(outcome)
      assert.deepStrictEqual(outcome.broken, [], `seed ${seed} of ${JSON.stringify(span)}`)
    }
    // A world in which nothing happens would prove nothing.
    const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((all, outcome) => all + of(outcome), 0)
    const totals = { served: sum((one) => one.served), ticks: sum((one) => one.ticks), crashes: sum((one) => one.crashes) }
    for (const [name, total] of Object.entries(totals)) assert.isAbove(total, outcomes.length / 4, name)
    return { lives: outcomes.length, ...totals, owed: sum((one) => one.owed) }
  })

const memory = { steps: 150, longestMs: 60_000 }
const stored = { steps: 60, longestMs: 10_000 }

describe("the bill of random lives", () => {
  const report = (totals: object) => (wished > 0 ? Effect.logInfo(totals) : Effect.void)
  const first = Number(process.env.FIRST_SEED ?? 1_000)
  const wished = Number(process.env.SIMULATIONS ?? 0)

  it.live(
    "on a ledger in memory",
    () => livesOf(wished || 60, first, memory).pipe(Effect.provide(Books.layerMemory), Effect.tap(report)),
    wished > 0 ? 60 * minutes : 3 * minutes,
  )

  it.live(
    "on PGlite",
    () =>
      livesOf(wished > 0 ? Math.ceil(wished / 40) : 6, first, stored).pipe(
        Effect.provide(Layer.provide(Books.layerStored, Embedded.layer({ directory: null }))),
        Effect.tap(report),
      ),
    wished > 0 ? 60 * minutes : 3 * minutes,
  )

  const databaseUrl = inject("databaseUrl")
  it.live.skipIf(databaseUrl === null)(
    "on Postgres",
    () =>
      livesOf(wished > 0 ? Math.ceil(wished / 40) : 6, first, stored).pipe(
        Effect.provide(
          Layer.unwrap(
            Effect.map(temporaryDatabase(databaseUrl ?? ""), (url) => Layer.provide(Books.layerStored, Postgres.layer({ url }))),
          ),
        ),
        Effect.tap(report),
      ),
    wished > 0 ? 60 * minutes : 3 * minutes,
  )
})
