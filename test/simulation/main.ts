/**
 * `npm run simulate -- --seeds 1000 [--from 1] [--jobs 2]` runs many seeds, `-- --seed 123 [--edition 1] [--trace c3]`
 * runs one. It writes a JSON summary to stdout, and progress and findings to stderr. `--trace` prints every event, or
 * what one client sends and receives. Exits with 1 if there were findings. Described in docs/developers/simulation.md.
 */
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { editions, NEWEST_EDITION } from "./play/Plot.ts"
import { type Outcome, simulateSeed } from "./simulateSeed.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    trace: { type: "string" },
    /** Edition of the plots: an older one leaves out faults that were added later. */
    edition: { type: "string", default: String(NEWEST_EDITION) },
    /** Set in a child process, which sends its outcomes to its parent. */
    worker: { type: "boolean", default: false },
  },
})

const number = (text: string | undefined, name: string, least: number): number => {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  process.stderr.write(`--${name} needs a whole number of at least ${least}, not ${text}\n`)
  process.exit(2)
}

const edition = editions.find((one) => String(one) === values.edition) ?? NEWEST_EDITION

const SIMULATED_HOURS = 1

class Totals {
  readonly #since = performance.now()
  readonly #seeds: number
  readonly failed: Array<number> = []
  #done = 0
  #sums = { records: 0, frames: 0, connects: 0, gaps: 0, recovered: 0, partial: 0, reset: 0 }

  constructor(seeds: number) {
    this.#seeds = seeds
  }

  add(outcome: Outcome): void {
    this.#done += 1
    const { connects, frames, gaps, records, resumes } = outcome
    const sums = this.#sums
    this.#sums = {
      records: sums.records + records,
      frames: sums.frames + frames,
      connects: sums.connects + connects,
      gaps: sums.gaps + gaps,
      recovered: sums.recovered + resumes.recovered,
      partial: sums.partial + resumes.partial,
      reset: sums.reset + resumes.reset,
    }
    if (outcome.wrong > 0) this.#printFailure(outcome)
    if (this.#done % 20 === 0 && this.#done < this.#seeds) {
      process.stderr.write(`${this.#done} of ${this.#seeds} seeds, ${this.failed.length} failed, ${this.#seconds().toFixed(0)} s\n`)
    }
  }

  /** Prints one JSON document, as the benchmarks do. */
  print(): void {
    const failed = this.failed.sort((a, b) => a - b)
    const summary = {
      seeds: this.#done,
      failed,
      simulatedHours: this.#done * SIMULATED_HOURS,
      framesChecked: this.#sums.frames,
      ...this.#sums,
      seconds: Math.round(this.#seconds() * 10) / 10,
    }
    process.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`)
  }

  #printFailure({ edition, findings, seed, wrong }: Outcome): void {
    this.failed.push(seed)
    process.stderr.write(
      `seed ${seed} FAILED, ${wrong} findings; replay it with: npm run simulate -- --seed ${seed} --edition ${edition}\n`,
    )
    for (const { at, problem, source } of findings) process.stderr.write(`  ${at} ${source}: ${problem}\n`)
  }

  #seconds(): number {
    return (performance.now() - this.#since) / 1_000
  }
}

const runOne = (seed: number): void => {
  const { trace } = values
  const writeTrace = (text: string): void => {
    if (trace === "" || trace === "all" || text.includes(` ${trace} `) || text.includes('"_tag"')) process.stderr.write(`${text}\n`)
  }
  const totals = new Totals(1)
  const outcome = simulateSeed(seed, { edition, trace: trace === undefined ? undefined : writeTrace })
  totals.add(outcome)
  totals.print()
  // Digest of the execution, to compare with another run of the seed.
  process.stderr.write(`digest ${outcome.digest}\n`)
  process.exitCode = outcome.wrong > 0 ? 1 : 0
}

const runMany = async (from: number, seeds: number, jobs: number): Promise<void> => {
  const totals = new Totals(seeds)
  if (jobs === 1) for (let seed = from; seed < from + seeds; seed++) totals.add(simulateSeed(seed, { edition }))
  else await Promise.all(Array.from({ length: jobs }, (_, job) => runWorker(totals, from + job, from + seeds, jobs)))
  totals.print()
  process.exitCode = totals.failed.length > 0 ? 1 : 0
}

/** Runs every `step`-th seed in a child process. */
const runWorker = (totals: Totals, from: number, to: number, step: number): Promise<void> => {
  const child = fork(fileURLToPath(import.meta.url), [
    "--worker",
    "--from",
    String(from),
    "--seeds",
    String(to),
    "--jobs",
    String(step),
    "--edition",
    String(edition),
  ])
  return new Promise((resolve, reject) => {
    child.on("message", (outcome: Outcome) => totals.add(outcome))
    child.on("error", reject)
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a worker exited with code ${code}`))))
  })
}

const from = number(values.from, "from", 0)
const jobs = number(values.jobs, "jobs", 1)
if (values.worker) {
  for (let seed = from; seed < number(values.seeds, "seeds", 1); seed += jobs) process.send?.(simulateSeed(seed, { edition }))
  process.disconnect?.()
} else if (values.seed !== undefined) runOne(number(values.seed, "seed", 0))
else await runMany(from, number(values.seeds ?? "20", "seeds", 1), jobs)
