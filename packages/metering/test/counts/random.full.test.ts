/**
 * Random runs of three gateways: clients come and go, gateways crash, shut down and are replaced, and exchanges fail or
 * lose their answers. A seed that fails becomes a permanent test.
 */
import { assert, it } from "@effect/vitest"
import { ApiKeyId } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import { Effect, Exit, Fiber, Random, References } from "effect"
import { TestClock } from "effect/testing"
import type { Place } from "../../src/counts/KeyPlaces.ts"
import { uuidOf } from "../../src/uuidOf.ts"
import { customerOf } from "../fixtures.ts"
import { gateway, Line } from "./gateways.ts"

const SEEDS = 30
const STEPS = 120
const LIMIT = planTerms.free.connections
const wanted = { connection: true, stream: true, replay: false }
/** Longest time until a gateway is known to be gone, or counts are reported again after an outage. */
const SETTLED = "9 seconds"

/** A stream that ended less than this before a crash may not have been reported, and is a credit too. */
const UNREPORTED_MS = 300

interface Running {
  readonly of: Effect.Success<ReturnType<typeof gateway>>
  readonly open: Array<{ readonly place: Place; readonly key: number }>
  /** Times at which places were released. */
  readonly releasedAt: Array<number>
}

const run = Effect.fnUntraced(function* (seed: number, faulty: boolean) {
  const random = yield* Random.Random
  const below = (count: number) => Math.floor(random.nextDoubleUnsafe() * count)
  const line = new Line()
  const keys = Array.from({ length: 3 }, () => ({ ...customerOf("free", 500), keyId: ApiKeyId.make(uuidOf(random)) }))
  const start = Effect.map(gateway(line), (of): Running => ({ of, open: [], releasedAt: [] }))
  const running = yield* Effect.all([start, start, start])
  let clock = 0
  const pass = (ms: number) => {
    clock += ms
    return TestClock.adjust(ms)
  }
  const openOf = (key: number) => running.reduce((sum, { open }) => sum + open.filter((one) => one.key === key).length, 0)
  const outcome = { opened: 0, refused: 0, lost: 0, free: 0 }

  const take = Effect.fnUntraced(function* ({ of, open }: Running, key: number) {
    const customer = keys[key] ?? customerOf("free", 500)
    const asking = yield* Effect.forkChild(of.limits.take(customer, wanted))
    yield* Effect.yieldNow
    yield* pass(10)
    // An exchange that is not answered ends after a second.
    if (asking.pollUnsafe() === undefined) yield* pass(1_500)
    const exit = yield* Effect.exit(Fiber.join(asking))
    if (Exit.isFailure(exit)) {
      outcome.refused += 1
      return
    }
    outcome.opened += 1
    if (exit.value.isFree) outcome.free += 1
    exit.value.onCredit = {
      credit: () => {
        outcome.free += 1
      },
    }
    open.push({ place: exit.value, key })
  })

  for (let step = 0; step < STEPS; step++) {
    const index = below(running.length)
    const at = running[index]
    if (at === undefined) continue
    const dice = below(100)
    if (dice < 60) yield* take(at, below(keys.length))
    else if (dice < 85) {
      at.open.splice(below(at.open.length), 1)[0]?.place.release()
      at.releasedAt.push(clock)
    } else if (dice < 90) {
      outcome.lost += at.open.length + at.releasedAt.filter((time) => clock - time <= UNREPORTED_MS).length
      if (below(2) === 0) yield* at.of.crash
      else yield* Effect.forkChild(at.of.stop)
      running[index] = yield* start
    } else if (faulty) line.state = (["up", "up", "fails", "silent", "loses answers"] as const)[below(5)] ?? "up"
    yield* pass(below(2) === 0 ? 5 : below(3_000))
    if (!faulty) for (const key of keys.keys()) assert.isAtMost(openOf(key), LIMIT, `seed ${seed}, step ${step}`)
  }

  line.state = "up"
  yield* TestClock.adjust(SETTLED)
  clock += 9_000
  for (const [key, { keyId }] of keys.entries()) {
    assert.strictEqual(line.book.total(keyId, clock).connections, openOf(key), `seed ${seed}: the counts at the end`)
  }
  return outcome
})

const runs = (faulty: boolean) =>
  Effect.gen(function* () {
    const sum = { opened: 0, refused: 0, lost: 0, free: 0 }
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = yield* run(seed, faulty).pipe(Random.withSeed(seed), Effect.provide(TestClock.layer({ warningDelay: "1 hour" })))
      // Without faults, a credit is never used for anything but a stream that was lost.
      if (!faulty) assert.isAtMost(outcome.free, outcome.lost, `seed ${seed}`)
      sum.opened += outcome.opened
      sum.refused += outcome.refused
      sum.lost += outcome.lost
      sum.free += outcome.free
    }
    // Runs without activity would prove nothing.
    for (const [name, count] of Object.entries(sum)) assert.isAbove(count, 10, name)
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))

it.effect("never exceeds a limit on three gateways that crash and shut down, and frees at most what was lost", () => runs(false), 60_000)

it.effect("counts exactly again after any outage of the shared counts", () => runs(true), 60_000)
