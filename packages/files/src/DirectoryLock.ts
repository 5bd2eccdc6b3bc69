/**
 * Gives one running process exclusive use of a directory, and owns its files `lock.<n>` only. It cannot detect
 * processes on another machine or in another pid namespace, so the directory must not be shared with them.
 *
 * The file with the highest number names the holder. If that process is dead, another takes over by creating the file
 * with the next number, which the file system allows exactly one process to do. A lock file is removed only after one
 * with a higher number exists: if two processes replaced a single stale file, both could get the lock.
 */
import { randomUUID } from "node:crypto"
import { link, readdir, readFile, unlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Result, Schema, type Scope } from "effect"
import { makeDirectory } from "./makeDirectory.ts"

export class DirectoryLocked extends Schema.TaggedError<DirectoryLocked>("@matchpoint/files/DirectoryLocked")("DirectoryLocked", {
  directory: Schema.String,
  pid: Schema.Int,
}) {
  /** Error message without the path of the directory. */
  get detail(): string {
    return `in use by process ${this.pid}; stop that process or choose another directory`
  }
  override get message(): string {
    return `${this.directory}: ${this.detail}`
  }
}

/** The directory cannot be created, read or written. */
export class DirectoryLockError extends Schema.TaggedError<DirectoryLockError>("@matchpoint/files/DirectoryLockError")(
  "DirectoryLockError",
  {
    directory: Schema.String,
    operation: Schema.String,
    cause: Schema.Defect(),
  },
) {
  /** Error message without the path of the directory. */
  get detail(): string {
    const reason = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `cannot ${this.operation} (${reason}); choose a directory that this process may write to`
  }
  override get message(): string {
    return `${this.directory}: ${this.detail}`
  }
}

/**
 * Content of a lock file. `born` is the start time of the process in clock ticks of the kernel, or null on systems
 * without /proc. It tells a process from a later one with the same pid: a service in a container has pid 1 after every
 * restart.
 */
const Holder = Schema.Struct({ pid: Schema.Int, born: Schema.NullOr(Schema.String), released: Schema.Boolean })
type Holder = typeof Holder.Type

const HolderJson = Schema.fromJsonString(Holder)
const decodeHolder = Schema.decodeEffect(HolderJson)
const encodeHolder = Schema.encodeEffect(HolderJson)

/** Creates the directory if it is missing. The lock is held until the scope closes. */
export const lockDirectory = (directory: string): Effect.Effect<void, DirectoryLocked | DirectoryLockError, Scope.Scope> =>
  Effect.asVoid(Effect.acquireRelease(acquire(directory), (number) => release(directory, number)))

const acquire = Effect.fn("DirectoryLock.acquire")(function* (directory: string) {
  yield* attempt(directory, "create directory", () => makeDirectory(directory))
  const self: Holder = { pid: process.pid, born: yield* birthOf(process.pid), released: false }
  const content = yield* encodeHolder(self).pipe(Effect.orDie)
  while (true) {
    const numbers = yield* listNumbers(directory)
    const highest = numbers.at(-1) ?? 0
    if (highest > 0) {
      const holder = yield* readHolder(directory, highest)
      if (holder !== null && (yield* isAlive(holder))) return yield* new DirectoryLocked({ directory, pid: holder.pid })
    }
    const mine = highest + 1
    if (!(yield* createExclusively(directory, mine, content))) continue
    // Another process acquired the lock first: it created a file with a higher number and removed the older ones, which
    // freed the number that this process has just taken.
    if ((yield* listNumbers(directory)).at(-1) !== mine) {
      yield* remove(directory, mine)
      continue
    }
    yield* Effect.forEach(numbers, (number) => remove(directory, number), { discard: true })
    return mine
  }
})

/** Deleting the file would free its number while a slower process may still try to create it. */
const release = (directory: string, number: number): Effect.Effect<void> =>
  encodeHolder({ pid: process.pid, born: null, released: true }).pipe(
    Effect.flatMap((content) => attempt(directory, "release lock", () => writeFile(lockFile(directory, number), content))),
    // A failed release does not block the next process, which detects that this one is dead. It is logged, because it
    // may indicate a failing disk.
    Effect.catch((error) => Effect.logWarning("could not release the directory lock", error)),
  )

/**
 * Writes another file first and links to it, because creating a link is atomic and writing a file is not. Returns false
 * if the lock file already exists.
 */
const createExclusively = (directory: string, number: number, content: string): Effect.Effect<boolean, DirectoryLockError> =>
  Effect.acquireUseRelease(
    Effect.sync(() => join(directory, `lock-candidate-${randomUUID()}`)),
    (candidate) =>
      attempt(directory, "create lock", async () => {
        await writeFile(candidate, content, { flag: "wx" })
        return link(candidate, lockFile(directory, number)).then(
          () => true,
          (error: unknown) => (hasCode(error, "EEXIST") ? false : Promise.reject(error)),
        )
      }),
    (candidate) => unlinkIfPresent(directory, candidate),
  )

const listNumbers = (directory: string): Effect.Effect<ReadonlyArray<number>, DirectoryLockError> =>
  attempt(directory, "list locks", () => readdir(directory)).pipe(
    Effect.map((names) =>
      names
        .flatMap((name) => (/^lock\.[1-9][0-9]*$/.test(name) ? [Number(name.slice("lock.".length))] : []))
        .sort((left, right) => left - right),
    ),
  )

/** Null if another process has just removed the file, or if the host crashed while it was being written. */
const readHolder = (directory: string, number: number): Effect.Effect<Holder | null, DirectoryLockError> =>
  attempt(directory, "read lock", () =>
    readFile(lockFile(directory, number), "utf8").catch((error: unknown) => (hasCode(error, "ENOENT") ? "" : Promise.reject(error))),
  ).pipe(
    Effect.flatMap((text) => Effect.result(decodeHolder(text))),
    Effect.map((decoded) => (Result.isSuccess(decoded) ? decoded.success : null)),
  )

const isAlive = (holder: Holder): Effect.Effect<boolean> =>
  holder.released || !exists(holder.pid)
    ? Effect.succeed(false)
    : Effect.map(birthOf(holder.pid), (born) => holder.born === null || born === null || born === holder.born)

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return hasCode(error, "EPERM")
  }
}

/**
 * Start time: field 22 of /proc/<pid>/stat (see proc(5)). Field 2, the process name in parentheses, may contain spaces
 * and parentheses, so fields are counted from the last closing parenthesis.
 */
const birthOf = (pid: number): Effect.Effect<string | null> =>
  Effect.promise(() =>
    readFile(`/proc/${pid}/stat`, "utf8").then(
      (stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null,
      () => null,
    ),
  )

const remove = (directory: string, number: number) => unlinkIfPresent(directory, lockFile(directory, number)).pipe(Effect.asVoid)

const unlinkIfPresent = (directory: string, path: string): Effect.Effect<void, DirectoryLockError> =>
  attempt(directory, "remove lock", () =>
    unlink(path).catch((error: unknown) => (hasCode(error, "ENOENT") ? undefined : Promise.reject(error))),
  )

const lockFile = (directory: string, number: number): string => join(directory, `lock.${number}`)

const attempt = <A>(directory: string, operation: string, run: () => Promise<A>): Effect.Effect<A, DirectoryLockError> =>
  Effect.tryPromise({ try: run, catch: (cause) => new DirectoryLockError({ directory, operation, cause }) })

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && "code" in error && error.code === code
