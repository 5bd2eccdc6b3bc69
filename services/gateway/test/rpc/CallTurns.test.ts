import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { CallTurns } from "../../src/rpc/CallTurns.ts"

/** Runs `count` calls of each connection at once. Returns the connections in the order in which their calls start, by turn of the event loop. */
const startsByTurn = (connections: ReadonlyArray<object>, count: number) =>
  Effect.gen(function* () {
    const turnOf = yield* CallTurns
    const starts: Array<Array<number>> = []
    const call = (index: number) =>
      Effect.andThen(
        turnOf(connections[index] ?? {}),
        Effect.sync(() => {
          ;(starts.at(-1) ?? []).push(index)
        }),
      )
    const calls = connections.flatMap((_, index) => Array.from({ length: count }, () => call(index)))
    let counting = true
    const nextTurn = () => {
      starts.push([])
      if (counting) setImmediate(nextTurn)
    }
    nextTurn()
    yield* Effect.all(calls, { concurrency: "unbounded" })
    counting = false
    return starts
  }).pipe(Effect.provide(CallTurns.layer))

it.live("starts at most one call of a connection per turn of the event loop", () =>
  Effect.gen(function* () {
    const starts = yield* startsByTurn([{}], 50)
    assert.strictEqual(starts.flat().length, 50)
    assert.isAtMost(Math.max(...starts.map((turn) => turn.length)), 1)
  }),
)

it.live("does not let the calls of one connection wait for those of another", () =>
  Effect.gen(function* () {
    const starts = (yield* startsByTurn([{}, {}], 20)).flat()
    assert.strictEqual(starts.length, 40)
    // Both connections advance at the same pace: after half of the starts, each has about half of its calls behind it.
    const ofFirst = starts.slice(0, 20).filter((index) => index === 0).length
    assert.isAtLeast(ofFirst, 8)
    assert.isAtMost(ofFirst, 12)
  }),
)
