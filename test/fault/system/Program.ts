/**
 * One operating system process of the system under test: start, stop, kill, freeze, resume, restart. Its output goes to
 * a file, which survives it. The process is killed when the scope closes, even if it is frozen.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync } from "node:fs"
import { Effect, Schedule, Schema, type Scope } from "effect"

export interface ProgramSpec {
  /** Name in messages, such as `match-1`. */
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The whole environment. Nothing is inherited, because settings of the caller would change the run. */
  readonly env: Readonly<Record<string, string>>
  readonly directory: string
  /** File to which standard output and standard error are appended. */
  readonly logFile: string
  /** User and group of the process. Default: those of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  /** Succeeds when the process is ready. Retried every 50 ms until it succeeds. */
  readonly ready: Effect.Effect<void, Error>
  /** Time limit of a start, in milliseconds. */
  readonly startWithinMs: number
  /** Signal of a planned stop, and the time after which the process is killed instead. */
  readonly stopSignal?: NodeJS.Signals
  readonly stopWithinMs?: number
}

/** A process did not become ready, ended by itself, or did not stop in time. `message` says which, and where its log is. */
export class ProgramFailed extends Schema.TaggedError<ProgramFailed>()("ProgramFailed", { message: Schema.String }) {}

/** A process does not answer yet. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", { message: Schema.String }) {}

const STOP_WITHIN_MS = 30_000
const LOG_TAIL = 2_000

export class Program {
  readonly name: string
  #spec: ProgramSpec
  #child: ChildProcess | undefined
  #frozen = false
  #ending = false
  /** Number of times that the process ended although no operation had asked for it. */
  crashes = 0

  private constructor(spec: ProgramSpec) {
    this.name = spec.name
    this.#spec = spec
  }

  /** Describes a process that is not yet started, and ends it with the scope. */
  static readonly make = (spec: ProgramSpec): Effect.Effect<Program, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => new Program(spec)),
      (program) => program.kill,
    )

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get isRunning(): boolean {
    return this.#child !== undefined
  }

  get isFrozen(): boolean {
    return this.#frozen
  }

  /** Everything printed so far, by all runs of the process. */
  get output(): string {
    return readFileSync(this.#spec.logFile, "utf8")
  }

  /** Starts the process and waits until it is ready. */
  get start(): Effect.Effect<void, ProgramFailed> {
    return Effect.suspend(() => {
      if (this.#child !== undefined) return Effect.fail(new ProgramFailed({ message: `${this.name} is already running` }))
      const child = this.#spawn()
      return this.#becomesReady(child).pipe(
        Effect.timeoutOrElse({
          duration: this.#spec.startWithinMs,
          orElse: () => Effect.fail(this.#failure(`did not become ready within ${this.#spec.startWithinMs} ms`)),
        }),
      )
    })
  }

  /** Stops the process as an operator does. Fails if it does not end in time; it is then killed. */
  get stop(): Effect.Effect<void, ProgramFailed> {
    const { stopSignal = "SIGTERM", stopWithinMs = STOP_WITHIN_MS } = this.#spec
    return this.#end(stopSignal).pipe(
      Effect.timeoutOrElse({
        duration: stopWithinMs,
        orElse: () => Effect.andThen(this.kill, Effect.fail(this.#failure(`did not stop within ${stopWithinMs} ms`))),
      }),
    )
  }

  /** Ends the process at once (SIGKILL), as the loss of a machine does. */
  get kill(): Effect.Effect<void> {
    return this.#end("SIGKILL")
  }

  /** Starts the process again after a stop or a kill, with changed settings if given. */
  restart(changes: Partial<Pick<ProgramSpec, "args" | "command" | "directory" | "env">> = {}): Effect.Effect<void, ProgramFailed> {
    return Effect.suspend(() => {
      this.#spec = { ...this.#spec, ...changes }
      return this.start
    })
  }

  /** Suspends the process (SIGSTOP). Its connections stay open and nothing answers on them. */
  get freeze(): Effect.Effect<void> {
    return Effect.sync(() => {
      this.#frozen = this.#child?.kill("SIGSTOP") ?? false
    })
  }

  get resume(): Effect.Effect<void> {
    return Effect.sync(() => {
      this.#child?.kill("SIGCONT")
      this.#frozen = false
    })
  }

  #becomesReady(child: ChildProcess): Effect.Effect<void, ProgramFailed> {
    const look: Effect.Effect<boolean, ProgramFailed> = Effect.suspend(() =>
      this.#child === child
        ? Effect.match(this.#spec.ready, { onSuccess: () => true, onFailure: () => false })
        : Effect.fail(this.#failure("ended during its start")),
    )
    return look.pipe(Effect.repeat({ until: (isReady) => isReady, schedule: Schedule.spaced("50 millis") }), Effect.asVoid)
  }

  #spawn(): ChildProcess {
    const { args, command, directory, env, logFile, user } = this.#spec
    const log = openSync(logFile, "a")
    const child = spawn(command, [...args], { cwd: directory, env, stdio: ["ignore", log, log], ...user })
    closeSync(log)
    this.#child = child
    this.#frozen = false
    this.#ending = false
    const onEnd = () => {
      if (this.#child !== child) return
      this.#child = undefined
      if (!this.#ending) this.crashes += 1
    }
    child.once("exit", onEnd)
    // If the command does not exist, no process was started and no `exit` follows.
    child.once("error", onEnd)
    return child
  }

  #end(signal: NodeJS.Signals): Effect.Effect<void> {
    return Effect.promise(async () => {
      const child = this.#child
      if (child === undefined) return
      this.#ending = true
      const exit = once(child, "exit")
      child.kill(signal)
      // A suspended process acts on other signals only after it continues.
      if (this.#frozen && signal !== "SIGKILL") child.kill("SIGCONT")
      await exit
    })
  }

  #failure(problem: string): ProgramFailed {
    return new ProgramFailed({ message: `${this.name} ${problem}. The end of ${this.#spec.logFile}:\n${this.output.slice(-LOG_TAIL)}` })
  }
}
