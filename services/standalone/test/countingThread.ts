import { simulateInThread } from "@matchpoint/game/sample/simulationThread"

/** Counts to `seed`. With 0, its thread ends right after the first step. */
function* count({ seed }: { readonly seed: number }): Generator<number, void> {
  if (seed < 0) throw new Error("nothing to count")
  if (seed === 0) {
    setTimeout(() => process.exit(), 20)
    yield 1
  }
  for (let step = 1; step <= seed; step++) yield step
}

simulateInThread(count)
