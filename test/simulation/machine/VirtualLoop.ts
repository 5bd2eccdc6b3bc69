/**
 * The event loop of a simulation: virtual time and Node's phases (timers, network, check), one task after the other,
 * without a real timer, promise or socket. Effects run on it through its clock and scheduler, plain code through
 * `runWithGlobals`. If no task is left to run, time advances to the next scheduled one, so idle time costs nothing.
 */
import { Clock, Context, Duration, Effect, Logger, References, Scheduler } from "effect"
import { TimedQueue } from "./TimedQueue.ts"

type Task = () => void

/** If more turns than this run at one instant, the loop never ends. */
const MAX_TURNS_PER_INSTANT = 100_000

export class VirtualLoop {
  #now: number
  readonly #timers = new TimedQueue()
  readonly #network = new TimedQueue()
  #immediates: Array<{ run: Task | undefined }> = []
  readonly #betweenPhases: Array<Task> = []
  readonly clock: Clock.Clock
  readonly scheduler: Scheduler.Scheduler
  /** Tasks run so far. If two runs of a seed differ here, their executions differed. */
  tasks = 0

  /** `startAt`: epoch milliseconds. */
  constructor(startAt: number) {
    this.#now = startAt
    this.clock = clockOf(this)
    this.scheduler = new Scheduler.MixedScheduler("async", (run) => this.immediate(run))
  }

  get now(): number {
    return this.#now
  }

  /** Context that effects of the simulation run in: its clock, its scheduler, no logging, no tracing. */
  get context(): Context.Context<never> {
    return Context.empty().pipe(
      Context.add(Clock.Clock, this.clock),
      Context.add(Scheduler.Scheduler, this.scheduler),
      Context.add(References.MinimumLogLevel, "None"),
      Context.add(References.TracerEnabled, false),
      Context.add(Logger.CurrentLoggers, new Set()),
    )
  }

  /** Runs after at least a millisecond, as Node's timers do. Returns a function that cancels it. */
  timer(afterMs: number, run: Task): Task {
    return this.#timers.add(this.#now + Math.max(1, Math.trunc(afterMs)), run)
  }

  immediate(run: Task): Task {
    const entry: { run: Task | undefined } = { run }
    this.#immediates.push(entry)
    return () => {
      entry.run = undefined
    }
  }

  /** Schedules an arrival from outside after this many milliseconds. 0 means later at this instant. */
  arrive(afterMs: number, run: Task): Task {
    return this.#network.add(this.#now + Math.max(0, Math.round(afterMs)), run)
  }

  /** Adds a task that runs before and after the network phase, when uWebSockets.js sends published messages. */
  betweenPhases(run: Task): void {
    this.#betweenPhases.push(run)
  }

  /** Runs until `done` returns true or no task is left. */
  run(done: () => boolean): void {
    let turns = 0
    while (!done()) {
      this.#turn(this.#timers)
      for (const run of this.#betweenPhases) run()
      this.#turn(this.#network)
      for (const run of this.#betweenPhases) run()
      const immediates = this.#immediates
      this.#immediates = []
      for (const { run } of immediates) {
        if (run === undefined) continue
        this.tasks += 1
        run()
      }
      turns += 1
      if (turns > MAX_TURNS_PER_INSTANT) throw new Error(`the loop does not come to rest at ${new Date(this.#now).toISOString()}`)
      if (this.#immediates.length > 0) continue
      const next = Math.min(this.#timers.nextAt, this.#network.nextAt)
      if (next === Number.POSITIVE_INFINITY) return
      if (next > this.#now) {
        this.#now = next
        turns = 0
      }
    }
  }

  #turn(queue: TimedQueue): void {
    const due = queue.takeDue(this.#now)
    for (const run of due) {
      const task = run()
      if (task === undefined) continue
      this.tasks += 1
      task()
    }
  }
}

const clockOf = (loop: VirtualLoop): Clock.Clock => {
  const nanos = () => BigInt(loop.now) * 1_000_000n
  return {
    currentTimeMillisUnsafe: () => loop.now,
    currentTimeMillis: Effect.sync(() => loop.now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => {
      const millis = Duration.toMillis(duration)
      if (millis <= 0) return Effect.yieldNow
      if (!Number.isFinite(millis)) return Effect.never
      return Effect.callback((resume) => {
        const cancel = loop.timer(millis, () => resume(Effect.void))
        return Effect.sync(cancel)
      })
    },
  }
}
