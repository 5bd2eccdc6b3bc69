/** Plays one seed and fails with the findings and the command that replays it. */
import { assert } from "@effect/vitest"
import { NEWEST_EDITION } from "./play/Plot.ts"
import { type Outcome, simulateSeed } from "./simulateSeed.ts"

const explain = ({ edition, findings, seed, wrong }: Outcome): string =>
  [
    `seed ${seed}: ${wrong} findings; replay it with: npm run simulate -- --seed ${seed} --edition ${edition}`,
    ...findings.map(({ at, problem, source }) => `${at} ${source}: ${problem}`),
  ].join("\n  ")

export const playSeed = (seed: number, edition = NEWEST_EDITION): Outcome => {
  const outcome = simulateSeed(seed, { edition })
  assert.strictEqual(outcome.wrong, 0, explain(outcome))
  return outcome
}

/** Also asserts that the hour had records, frames and connections. */
export const playWholeHour = (seed: number): void => {
  const { connects, frames, records } = playSeed(seed)
  assert.isAbove(records, 0)
  assert.isAbove(frames, 0)
  assert.isAbove(connects, 0)
}
