/** Plays a plot, or one seed, from start to end, synchronously and without yielding the thread, and returns the outcome. */
import { Effect, Exit } from "effect"
import type { Finding } from "./audit/Findings.ts"
import { nameOf } from "./audit/Hearing.ts"
import type { Version } from "./audit/History.ts"
import { VirtualLoop } from "./machine/VirtualLoop.ts"
import { runWithGlobals } from "./machine/virtualGlobals.ts"
import { type Edition, NEWEST_EDITION, type Plot, plotOf } from "./play/Plot.ts"
import { World, type WorldOptions } from "./play/World.ts"

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
  /** The last version of each match, with the hash of its document. */
  readonly ends: ReadonlyArray<string>
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

export const simulateSeed = (seed: number, { edition = NEWEST_EDITION, trace }: Run = {}): Outcome =>
  simulatePlot(plotOf(seed, edition), () => ({ trace }))

/** `options` is called with the loop of the simulation. */
export const simulatePlot = (plot: Plot, options: (loop: VirtualLoop) => WorldOptions = () => ({})): Outcome => {
  const loop = new VirtualLoop(START)
  const world = new World(plot, loop, options(loop))
  return runWithGlobals(loop, plot.seed, () => {
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
    ends: history.matches.map((matchId) => endOf(history.last(matchId))),
    tasks: loop.tasks,
    digest: `${(digest >>> 0).toString(16)}-${loop.tasks}`,
  }
}

const endOf = (version: Version | undefined): string => (version === undefined ? "nothing" : `${nameOf(version)} ${version.hash}`)
