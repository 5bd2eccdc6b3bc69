/**
 * Runs programs that read hostile data: without a shell, with a minimal environment, in a private directory, with
 * limits of CPU time, memory and file size. Which files and hosts a program can reach is restricted by its arguments
 * and the egress proxy.
 *
 * The process group ends with the scope. It gets SIGTERM, and SIGKILL after two seconds, if the time is over, the
 * output is too long or the fiber is interrupted. On Linux the kernel also ends the program if this process dies.
 */
import { Context, Effect, FileSystem, Layer, type Scope, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { TranscriberConfig } from "../TranscriberConfig.ts"
import { findProgram } from "./findProgram.ts"
import { OutputTooLong, ProgramMissing, ProgramTimeout, type SandboxFailure } from "./SandboxFailure.ts"
import { removeStale, sandboxPrefix } from "./staleDirectories.ts"

export interface SandboxLimits {
  /** No limit if absent. */
  readonly cpuSeconds?: number
  /** Limit of private memory. */
  readonly memoryBytes: number
  /** Largest file that the process may write. */
  readonly fileBytes: number
}

export interface SandboxCommand {
  /** Name in the search path, or an absolute path. */
  readonly program: string
  readonly args: ReadonlyArray<string>
  /** Working directory, also HOME and TMPDIR of the process. */
  readonly directory: string
  /** Added to HOME, TMPDIR, LANG and PATH. */
  readonly environment?: Readonly<Record<string, string>>
  readonly limits: SandboxLimits
}

export interface SandboxRun extends SandboxCommand {
  readonly timeoutMs: number
  /** Longer standard output ends the process. Standard error is cut off at 16 KB. */
  readonly maxOutputBytes: number
  /** Called for each line of standard output while the process runs. */
  readonly onLine?: (line: string) => Effect.Effect<void>
}

export interface SandboxResult {
  /** Null if a signal ended the process. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export class Sandbox extends Context.Service<
  Sandbox,
  {
    /** A private directory (mode 0700), which is removed with its content when the scope closes. */
    readonly directory: Effect.Effect<string, never, Scope.Scope>
    readonly run: (command: SandboxRun) => Effect.Effect<SandboxResult, SandboxFailure>
    /** Starts a program that ends when the scope closes. */
    readonly start: (command: SandboxCommand) => Effect.Effect<ChildProcessSpawner.ChildProcessHandle, ProgramMissing, Scope.Scope>
    /** Returns the absolute path of a program in the search path. */
    readonly find: (program: string) => Effect.Effect<string, ProgramMissing>
    /** Limits, low priority and the end with this process are enforced. False on macOS, for example. */
    readonly isLimiting: Effect.Effect<boolean>
  }
>()("@matchpoint/service-transcripts/sandbox/Sandbox") {
  static readonly layer = Layer.effect(
    Sandbox,
    Effect.gen(function* () {
      const { searchPath, temporaryDirectory } = yield* TranscriberConfig
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      yield* removeStale(temporaryDirectory)

      const find = (program: string) =>
        findProgram(program, searchPath).pipe(
          Effect.flatMap((path) =>
            path === undefined ? Effect.fail(new ProgramMissing({ program, detail: "not found" })) : Effect.succeed(path),
          ),
        )
      const wrappers = Effect.all([find("nice"), find("setpriv"), find("prlimit")]).pipe(Effect.option)

      const start = Effect.fnUntraced(function* (command: SandboxCommand) {
        const path = yield* find(command.program)
        const wrapped = yield* wrappers
        const [program, args] = wrapped._tag === "Some" ? limited(wrapped.value, command.limits, path, command.args) : [path, command.args]
        return yield* spawner
          .spawn(
            ChildProcess.make(program, args, {
              cwd: command.directory,
              env: {
                HOME: command.directory,
                TMPDIR: command.directory,
                LANG: "C.UTF-8",
                PATH: `${command.directory}/bin`,
                ...command.environment,
              },
              extendEnv: false,
              stdin: "pipe",
              forceKillAfter: KILL_AFTER,
            }),
          )
          .pipe(Effect.mapError((error) => new ProgramMissing({ program: command.program, detail: error.message })))
      })

      const run = (command: SandboxRun) =>
        Effect.gen(function* () {
          const handle = yield* start(command)
          const [exitCode, stdout, stderr] = yield* Effect.all(
            [
              Effect.catch(handle.exitCode, () => Effect.succeed(null)),
              readOutput(handle.stdout, command),
              readStart(handle.stderr, MAX_ERROR_BYTES),
            ],
            { concurrency: "unbounded" },
          )
          return { exitCode, stdout, stderr }
        }).pipe(
          Effect.scoped,
          Effect.timeoutOrElse({
            duration: command.timeoutMs,
            orElse: () => Effect.fail(new ProgramTimeout({ program: command.program, timeoutMs: command.timeoutMs })),
          }),
        )

      return Sandbox.of({
        directory: fs.makeTempDirectoryScoped({ directory: temporaryDirectory, prefix: sandboxPrefix }).pipe(Effect.orDie),
        run,
        start,
        find,
        isLimiting: Effect.map(wrappers, (found) => found._tag === "Some"),
      })
    }),
  )
}

/** Time between SIGTERM and SIGKILL. */
const KILL_AFTER = "2 seconds"
/** Length of the start of standard error that is kept. */
const MAX_ERROR_BYTES = 16 * 1_024

/** Each wrapper replaces itself with the next program, so the process id stays the same. */
const limited = (
  [nice, setpriv, prlimit]: readonly [string, string, string],
  { cpuSeconds, fileBytes, memoryBytes }: SandboxLimits,
  path: string,
  args: ReadonlyArray<string>,
): readonly [string, ReadonlyArray<string>] => [
  nice,
  [
    // Transcripts get the CPU time that live matches leave over.
    ...["-n", "10", setpriv, "--pdeathsig", "KILL"],
    ...[prlimit, "--core=0", "--nofile=256", `--cpu=${cpuSeconds === undefined ? "unlimited" : `${cpuSeconds}:${cpuSeconds + 1}`}`],
    ...[`--data=${memoryBytes}`, `--fsize=${fileBytes}`, path, ...args],
  ],
]

/** Reads the output. Fails if it is longer than permitted. */
const readOutput = (output: Stream.Stream<Uint8Array, unknown>, { maxOutputBytes, onLine, program }: SandboxRun) => {
  let bytes = 0
  let text = ""
  const bounded = output.pipe(
    Stream.orDie,
    Stream.mapEffect((chunk) => {
      bytes += chunk.length
      return bytes > maxOutputBytes ? Effect.fail(new OutputTooLong({ program, maxBytes: maxOutputBytes })) : Effect.succeed(chunk)
    }),
    Stream.decodeText(),
    Stream.tap((part) =>
      Effect.sync(() => {
        text += part
      }),
    ),
  )
  const read = onLine === undefined ? Stream.runDrain(bounded) : bounded.pipe(Stream.splitLines, Stream.runForEach(onLine))
  return Effect.map(read, () => text)
}

/** Reads everything and keeps the start. */
const readStart = (output: Stream.Stream<Uint8Array, unknown>, maxBytes: number) => {
  const kept: Array<Uint8Array> = []
  let bytes = 0
  return output.pipe(
    Stream.orDie,
    Stream.runForEach((chunk) =>
      Effect.sync(() => {
        if (bytes < maxBytes) kept.push(chunk.subarray(0, maxBytes - bytes))
        bytes += chunk.length
      }),
    ),
    Effect.map(() => Buffer.concat(kept).toString("utf8")),
  )
}
