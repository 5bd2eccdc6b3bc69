/**
 * Makes the cluster patient with its database. By itself, effect's cluster stops everything on a process as soon as the database
 * has not confirmed the ownership in time. That would interrupt live matches whenever the database restarts or the machine is busy. Here,
 * a stale owner does no harm, because the log rejects its appends. So ownership ends only when the database says so:
 *
 * - A confirmation that is late or fails counts as given.
 * - Locks that were lost with their session are taken again, unless another process has them.
 * - After an outage, no member counts as dead before all had time to report.
 *
 * A process that cannot work, because it does not reach the log, leaves the cluster until it can.
 */
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Deferred, Effect, Exit, Fiber, Schedule, type Scope, Semaphore } from "effect"
import { ClusterError, type RunnerAddress, type RunnerStorage, type ShardId } from "effect/cluster"

/**
 * How long a confirmation may take before it counts as given. It usually takes a few milliseconds. effect stops
 * everything 300 ms after it has asked, so the time that this process is late is subtracted.
 */
const CONFIRMED_WITHIN_MS = 150
/** A member counts as dead after this time without a confirmation. */
export const EXPIRES_AFTER_MS = 1_200
/**
 * Pause before a lock that another member still has is tried again. By itself, the cluster waits a second. But the
 * locks of a member that hangs or gives shards away are often freed just after it counts as dead.
 */
const TAKEN_AGAIN_AFTER_MS = 75
/** If the list of members could not be read for this long, the members could not report either. */
const OUTAGE_MS = 800
/** Time for the members to report after an outage. */
const REPORT_WITHIN_MS = 2_500

type Storage = RunnerStorage.RunnerStorage["Service"]
type Members = Effect.Success<Storage["getRunners"]>

export interface PatientStorage {
  readonly storage: Storage
  readonly isConfirmed: () => boolean
  /** The members as last read. */
  readonly members: () => ReadonlyArray<RunnerAddress.RunnerAddress>
  /** Completes at the next departure. The member's shards have new owners by then. */
  readonly nextDeparture: Effect.Effect<void>
}

/** `delayMs` returns how late this process is. */
export const patientStorage = Effect.fnUntraced(function* (
  storage: Storage,
  canWork: () => boolean = () => true,
  delayMs: () => number = () => 0,
): Effect.fn.Return<PatientStorage, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const now = monotonicOf(yield* Clock.Clock)
  let confirmedAt = Number.NEGATIVE_INFINITY
  /** Undefined if the last confirmation came in time. */
  let lateSince: number | undefined
  let isReported = false
  /** True from leaving the cluster until this process registers again. */
  let hasLeft = false
  /** Shards that this process gives away. Their locks must not be taken again. */
  const leaving = new Set<string>()
  const isLeaving = (shard: ShardId.ShardId): boolean => leaving.has(String(shard))
  /**
   * Lets acquisitions and releases take turns. Otherwise, the database could process an acquisition after a later
   * release of the same shard, which would stay locked without an owner. The driver has one connection for both, so
   * this costs no time.
   */
  const inTurn = Semaphore.makeUnsafe(1).withPermit
  let running: Fiber.Fiber<ReadonlyArray<ShardId.ShardId>, unknown> | undefined
  /** Shards that `running` asks for, without those acquired since. */
  let asked: ReadonlySet<string> = new Set()

  /** Takes the locks of the shards that this process does not give away, and returns those it got. */
  const take = (address: Parameters<Storage["acquire"]>[0], shards: ReadonlyArray<ShardId.ShardId>) =>
    inTurn(
      Effect.suspend(() => {
        const wanted = shards.filter((shard) => !isLeaving(shard))
        return wanted.length === 0 ? Effect.succeed([]) : storage.acquire(address, wanted)
      }),
    ).pipe(Effect.map((taken) => taken.filter((shard) => !isLeaving(shard))))

  /** Confirms the locks that this process has, and takes those again that it has lost. */
  const confirm = Effect.fnUntraced(function* (address: Parameters<Storage["refresh"]>[0], wanted: ReadonlyArray<ShardId.ShardId>) {
    const askedAt = now()
    const held = yield* storage.refresh(address, wanted)
    const heldKeys = new Set(held.map(String))
    const lost = wanted.filter((shard) => !heldKeys.has(String(shard)))
    const again = lost.length === 0 ? [] : yield* take(address, lost)
    if (wanted.length > 0) confirmedAt = askedAt
    return [...held, ...again]
  })

  /** Only lasting lateness is worth a warning: a single late confirmation is normal while processes start. */
  const report = (isLate: boolean) =>
    Effect.suspend(() => {
      lateSince = isLate ? (lateSince ?? now()) : undefined
      const lasts = lateSince !== undefined && now() - lateSince >= EXPIRES_AFTER_MS
      if (lasts === isReported) return Effect.void
      isReported = lasts
      return lasts
        ? Effect.logWarning("the database does not confirm the ownership of matches in time; they continue")
        : Effect.logInfo("the database confirms the ownership of matches again")
    })

  /** Gives everything away, so that others take over at once. The process registers again when it can work. */
  const leave = (address: Parameters<Storage["refresh"]>[0]) =>
    Effect.gen(function* () {
      if (!hasLeft) yield* Effect.logWarning("this process does not reach the log; it leaves the cluster until it does")
      hasLeft = true
      yield* storage.unregister(address)
      yield* releaseAll(address)
      return []
    })

  const refresh: Storage["refresh"] = (address, shards) =>
    Effect.suspend(() => {
      const wanted = [...shards]
      if (!canWork()) return leave(address)
      return Effect.gen(function* () {
        if (running === undefined || running.pollUnsafe() !== undefined) {
          asked = new Set(wanted.map(String))
          running = yield* Effect.forkIn(confirm(address, wanted), scope, { startImmediately: true })
        }
        const patienceMs = Math.max(0, CONFIRMED_WITHIN_MS - delayMs())
        const exit = yield* Effect.timeoutOption(Fiber.await(running), patienceMs)
        if (exit._tag === "None" || Exit.isFailure(exit.value)) return yield* Effect.as(report(true), wanted)
        const held = new Set(exit.value.value.map(String))
        yield* report(false)
        return wanted.filter((shard) => held.has(String(shard)) || !asked.has(String(shard)))
      })
    })

  const acquire: Storage["acquire"] = (address, shards) =>
    Effect.suspend(() => {
      const wanted = [...shards]
      if (!canWork()) return Effect.succeed([])
      for (const shard of wanted) leaving.delete(String(shard))
      return take(address, wanted).pipe(
        Effect.repeat({
          until: (acquired) => acquired.length >= wanted.filter((shard) => !isLeaving(shard)).length,
          schedule: Schedule.spaced(TAKEN_AGAIN_AFTER_MS),
          times: 3,
        }),
      )
    })

  const register: Storage["register"] = (member, isHealthy) =>
    Effect.suspend(() => {
      if (!canWork()) return Effect.fail(new ClusterError.PersistenceError({ cause: cannotWork }))
      hasLeft = false
      return storage.register(member, isHealthy)
    })

  const release: Storage["release"] = (address, shard) =>
    Effect.suspend(() => {
      leaving.add(String(shard))
      return inTurn(storage.release(address, shard))
    })

  const releaseAll: Storage["releaseAll"] = (address) =>
    Effect.suspend(() => {
      // These are the shards whose locks the running confirmation may take again.
      for (const shard of asked) leaving.add(shard)
      return inTurn(storage.releaseAll(address))
    })

  let known: ReadonlyMap<string, Members[number]> = new Map()
  let readAt = now()
  let steadyFrom = Number.NEGATIVE_INFINITY
  let departure = Deferred.makeUnsafe<void>()
  /** True if a member was missing at the last reading. The cluster assigns its shards to others before it reads again. */
  let isDeparting = false

  const getRunners: Storage["getRunners"] = Effect.map(storage.getRunners, (members) => {
    const at = now()
    if (at - readAt > OUTAGE_MS) steadyFrom = at + REPORT_WITHIN_MS
    readAt = at
    const reported = new Map(members.map((member) => [String(member[0].address), member]))
    if (isDeparting) {
      // Replaced first, because a waiting fiber may resume and wait again at once.
      const done = departure
      departure = Deferred.makeUnsafe<void>()
      Deferred.doneUnsafe(done, Exit.void)
    }
    // Members that join are never held back.
    const current = at < steadyFrom ? new Map([...known, ...reported]) : reported
    isDeparting = [...known.keys()].some((address) => !current.has(address))
    known = current
    return [...known.values()]
  })

  return {
    storage: { ...storage, acquire, refresh, register, release, releaseAll, getRunners },
    isConfirmed: () => now() - confirmedAt < EXPIRES_AFTER_MS,
    members: () => [...known.values()].map(([{ address }]) => address),
    nextDeparture: Effect.suspend(() => Deferred.await(departure)),
  }
})

const cannotWork = new Error("this process does not reach the log; it joins the cluster when it does")
