/** Plays one seed from start to end, synchronously and without yielding the thread, and returns the outcome. */
import { Effect, Exit } from "effect"
import type { Finding } from "./audit/Findings.ts"
import { VirtualLoop } from "./machine/VirtualLoop.ts"
import { runWithGlobals } from "./machine/virtualGlobals.ts"
import { type Edition, NEWEST_EDITION, plotOf } from "./play/Plot.ts"
import { World } from "./play/World.ts"

export interface Outcome {
  readonly seed: number
  readonly edition: Edition
  readonly findings: ReadonlyArray<Finding>
  /** Number of all findings, including those not kept. */
  readonly wrong: number
  /** Records that LIVE accepted. */
  readonly records: number
  /** Frames that clients received, each checked. */
  readonly frames: number
  readonly connects: number
  readonly resumes: { readonly recovered: number; readonly partial: number; readonly reset: number }
  readonly gaps: number
  readonly tasks: number
  /** Equal for equal seeds. If two runs of a seed differ, something was not decided by the seed. */
  readonly digest: string
}

const START = Date.parse("2026-03-01T18:00:00Z")

export interface Run {
  /** Receives a line for every event. */
  readonly trace?: ((text: string) => void) | undefined
  readonly edition?: Edition
}

export const simulateSeed = (seed: number, { edition = NEWEST_EDITION, trace }: Run = {}): Outcome => {
  const loop = new VirtualLoop(START)
  const world = new World(plotOf(seed, edition), loop, trace)
  return runWithGlobals(loop, seed, () => {
    const fiber = Effect.runForkWith(loop.context)(Effect.provide(world.run, world.log))
    try {
      loop.run(() => fiber.pollUnsafe() !== undefined)
    } catch (error) {
      // An exception from a callback of the product would end its process.
      world.findings.add("process", error instanceof Error ? (error.stack ?? error.message) : String(error))
      return outcomeOf(world)
    }
    const exit = fiber.pollUnsafe()
    if (exit === undefined) world.findings.add("world", "stopped before its end")
    else if (Exit.isFailure(exit)) world.findings.add("world", String(exit.cause))
    return outcomeOf(world)
  })
}

const outcomeOf = (world: World): Outcome => {
  const { clients, findings, history, loop, plot } = world
  const sum = (of: (client: World["clients"][number]) => number): number => clients.reduce((total, client) => total + of(client), 0)
  const digest = clients.reduce((mixed, { transcript }) => (Math.imul(mixed, 33) + transcript.digest) | 0, history.records)
  return {
    seed: plot.seed,
    edition: plot.edition,
    findings: findings.list,
    wrong: findings.count,
    records: history.records,
    frames: sum(({ transcript }) => transcript.frames),
    connects: sum(({ counts }) => counts.connects),
    resumes: {
      recovered: sum(({ counts }) => counts.recovered),
      partial: sum(({ counts }) => counts.partial),
      reset: sum(({ counts }) => counts.reset),
    },
    gaps: sum(({ transcript }) => transcript.gaps),
    tasks: loop.tasks,
    digest: `${(digest >>> 0).toString(16)}-${loop.tasks}`,
  }
}
