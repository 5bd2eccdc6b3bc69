/**
 * Ensures that only one process at a time uses a directory. The file `lock` in the directory identifies the process
 * that holds the lock. A killed process leaves the file behind, and the next process takes it over. The holder is
 * identified by its process id and, where `/proc` exists, also by its start time. A new process with the same id is
 * therefore not mistaken for the holder (the main process of every container has id 1). The lock does not detect
 * processes on another machine or in another pid namespace, so do not share the directory with them.
 */
import { randomUUID } from "node:crypto"
import { link, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema, type Scope } from "effect"
import { LogError } from "../EventLog.ts"

const Holder = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int, startedAt: Schema.NullOr(Schema.String), token: Schema.String }))
type Holder = typeof Holder.Type

const encode = Schema.encodeSync(Holder)
const decode = Schema.decodeUnknownOption(Holder)

/** Locks an existing directory until the scope closes. Fails with `Locked` while another running process holds it. */
export const hold = (directory: string): Effect.Effect<void, LogError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => acquire(directory),
      catch: (cause) =>
        cause instanceof LogError
          ? cause
          : new LogError({
              operation: "open",
              target: directory,
              reason: "Unavailable",
              retryable: true,
              detail: "the lock file cannot be read or written; check that this process may write to the directory",
              cause,
            }),
    }),
    (token) =>
      Effect.tryPromise(() => release(directory, token)).pipe(
        Effect.catch((error) => Effect.logWarning(`cannot remove the lock file of ${directory}`, error)),
      ),
  )

const acquire = async (directory: string): Promise<string> => {
  const file = join(directory, "lock")
  const token = randomUUID()
  const own = join(directory, `lock.${token}`)
  await writeFile(own, encode({ pid: process.pid, startedAt: await startTime(process.pid), token }))
  try {
    for (let attempt = 0; attempt < 8; attempt++) {
      if (await linked(own, file)) return token
      const found = await content(file)
      if (found === undefined) continue
      const holder = decode(found)
      if (holder._tag === "Some" && (await isAlive(holder.value))) throw locked(directory, holder.value)
      // The lock file is stale, because the process that held the lock no longer runs. Move the file aside and try
      // again. If another process has created a new lock file in the meantime, the file that was moved is that new
      // lock, so put it back.
      const aside = join(directory, `lock.${token}.stale`)
      if (!(await moved(file, aside))) continue
      if ((await content(aside)) !== found) await linked(aside, file)
      await rm(aside, { force: true })
    }
    throw locked(directory, undefined)
  } finally {
    await rm(own, { force: true })
  }
}

const release = async (directory: string, token: string): Promise<void> => {
  const file = join(directory, "lock")
  const holder = decode(await content(file))
  if (holder._tag === "Some" && holder.value.token === token) await rm(file)
}

const locked = (directory: string, holder: Holder | undefined): LogError =>
  new LogError({
    operation: "open",
    target: directory,
    reason: "Locked",
    retryable: true,
    detail:
      holder === undefined
        ? "other processes are opening the directory; try again"
        : `process ${holder.pid} has the directory open; stop that process or use another directory`,
  })

const isAlive = async (holder: Holder): Promise<boolean> => {
  try {
    process.kill(holder.pid, 0)
  } catch (cause) {
    // EPERM: the process exists but belongs to another user.
    if (codeOf(cause) !== "EPERM") return false
  }
  return holder.startedAt === null || holder.startedAt === (await startTime(holder.pid))
}

/**
 * Start time of a process in clock ticks since boot (field 22 of `/proc/<pid>/stat`), or null if there is no such file.
 */
const startTime = async (pid: number): Promise<string | null> => {
  const stat = await content(`/proc/${pid}/stat`)
  // The second field of the line is the command in parentheses. It may contain any character, so count the fields after
  // the last closing parenthesis.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null
}

const content = (file: string): Promise<string | undefined> => orUndefined("ENOENT", readFile(file, "utf8"))
const linked = async (from: string, to: string): Promise<boolean> =>
  (await orUndefined(
    "EEXIST",
    link(from, to).then(() => true),
  )) ?? false
const moved = async (from: string, to: string): Promise<boolean> =>
  (await orUndefined(
    "ENOENT",
    rename(from, to).then(() => true),
  )) ?? false

const orUndefined = async <A>(code: string, promise: Promise<A>): Promise<A | undefined> => {
  try {
    return await promise
  } catch (cause) {
    if (codeOf(cause) === code) return undefined
    throw cause
  }
}

const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined)
