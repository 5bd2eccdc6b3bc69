import { simulateInThread } from "../src/sampleData/simulationThread.ts"

function* count({ seed }: { readonly seed: number }): Generator<number, void> {
  if (seed < 0) throw new Error("nothing to count")
  for (let step = 1; step <= seed; step++) yield step
}

simulateInThread(count)
