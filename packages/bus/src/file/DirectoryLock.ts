/**
 * One process per directory: a file `lock` that names its holder, left behind by a killed one and then taken over.
 * The holder is known by process id and, where /proc has it, start time, so that a reused id (every container's main process
 * is 1) is not taken for the dead one. It cannot see processes of another machine or pid namespace: do not share the directory.
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

/** Holds the directory, which must exist, until the scope closes. Fails with `Locked` while another live process holds it. */
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
              detail: "cannot write the lock file",
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
      // Stale. Move it aside before taking its place; if another process was faster, what we moved is its fresh lock: put it back.
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
    detail: holder === undefined ? "other processes are opening it" : `process ${holder.pid} has it open`,
  })

const isAlive = async (holder: Holder): Promise<boolean> => {
  try {
    process.kill(holder.pid, 0)
  } catch (cause) {
    // EPERM: it is there and somebody else's.
    if (codeOf(cause) !== "EPERM") return false
  }
  return holder.startedAt === null || holder.startedAt === (await startTime(holder.pid))
}

/** Clock ticks from boot to the process's start (field 22 of /proc/pid/stat), null where there is no such file. */
const startTime = async (pid: number): Promise<string | null> => {
  const stat = await content(`/proc/${pid}/stat`)
  // The second field is the command in parentheses and may hold anything, so count from its end.
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
