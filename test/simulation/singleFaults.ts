/** Plays a scenario once for each of its requests and each kind of failure, so that exactly that request fails. */
import { assert } from "@effect/vitest"
import type { StartScenario } from "./play/startScenarios.ts"
import { type Outcome, simulatePlot } from "./simulateSeed.ts"
import { type Failure, failures, SingleFault } from "./storage/SingleFault.ts"

interface Played {
  readonly outcome: Outcome
  /** Names of the requests of the process, in order. */
  readonly requests: ReadonlyArray<string>
}

const play = (
  { countsFromMs, countsToMs, plot, starts }: StartScenario,
  failing?: ConstructorParameters<typeof SingleFault>[1],
): Played => {
  let requests: ReadonlyArray<string> = []
  const outcome = simulatePlot(plot, (loop) => {
    const startedAt = loop.now
    const by = new SingleFault(() => loop.now >= startedAt + countsFromMs && loop.now < startedAt + countsToMs, failing)
    requests = by.requests
    return { disturbed: { ...starts, by } }
  })
  return { outcome, requests }
}

const problemsOf = ({ ends, findings }: Outcome, undisturbed: Outcome): ReadonlyArray<string> => [
  ...findings.map(({ at, problem, source }) => `${at} ${source}: ${problem}`),
  ...(ends.join() === undisturbed.ends.join() ? [] : [`the match ends at ${ends.join()} instead of ${undisturbed.ends.join()}`]),
]

/**
 * Fails every `step`-th request, from `first` (1 is the first request), in every way. Returns the number of requests, and
 * one line for each way in which clients, the log or the match noticed it.
 */
export const playSingleFaults = (scenario: StartScenario, { first = 1, step = 1 } = {}) => {
  const undisturbed = play(scenario)
  const { requests } = undisturbed
  const problems: Array<string> = [...problemsOf(undisturbed.outcome, undisturbed.outcome)]
  let runs = 0
  for (let number = first; number <= requests.length; number += step) {
    for (const failure of failures) {
      runs += 1
      const { outcome } = play(scenario, { number, failure })
      const [problem, ...more] = problemsOf(outcome, undisturbed.outcome)
      if (problem !== undefined)
        problems.push(`${describe(requests, number, failure)}: ${problem}${more.length === 0 ? "" : `, and ${more.length} more`}`)
    }
  }
  return { requests, runs, problems, undisturbed: undisturbed.outcome }
}

const describe = (requests: ReadonlyArray<string>, number: number, { name }: Failure): string =>
  `request ${number} of ${requests.length} (${requests[number - 1]}) ${name}`

/** Also asserts that the scenario had requests, frames, and a match that went on. */
export const assertSingleFaultsHarmless = (scenario: StartScenario, steps?: { readonly first?: number; readonly step?: number }): void => {
  const { problems, requests, runs, undisturbed } = playSingleFaults(scenario, steps)
  process.stderr.write(`${scenario.name}: ${requests.length} requests, ${runs} runs, ${undisturbed.frames} frames in each\n`)
  assert.isAbove(requests.length, 10)
  assert.isAbove(undisturbed.frames, 100)
  assert.deepStrictEqual(problems, [])
}
