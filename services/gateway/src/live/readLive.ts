/**
 * Starts the readers of both tiers. By default, a tier reads all of LIVE. If the gateway reads only what its clients
 * follow, a tier reads the list entries of all matches, and the partitions of LIVE that its `Interest` names.
 */
import type { EventLog, LogError } from "@matchpoint/bus/EventLog"
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { ENTRIES, LIVE, liveOfPartition } from "@matchpoint/contracts/bus/subjects"
import { parseRoom } from "@matchpoint/contracts/stream/rooms"
import type { Edge } from "@matchpoint/realtime/Edge"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import { Effect, Option, Schedule, type Scope } from "effect"
import { type Interest, partOf } from "./Interest.ts"
import { PartitionReading } from "./PartitionReading.ts"
import type { RecordIntake } from "./RecordIntake.ts"
import type { TierReading } from "./TierReading.ts"

export interface Tier {
  readonly name: "real-time" | "delayed"
  readonly edge: Edge
  readonly interest: Interest
  readonly live: TierReading
  readonly entries: TierReading
}

export interface ReadLiveOptions {
  readonly log: EventLog["Service"]
  readonly reads: "all" | "followed"
  readonly tiers: ReadonlyArray<Tier>
  readonly intake: RecordIntake
  readonly newRooms: () => LiveRooms
}

/** Ends when both tiers have everything that the log held at the start. The readers go on until the scope closes. */
export const readLive = Effect.fnUntraced(function* (options: ReadLiveOptions): Effect.fn.Return<void, LogError, Scope.Scope> {
  const { log, reads, tiers } = options
  const { first } = yield* log.bounds(LIVE)
  for (const { edge } of tiers) edge.rooms.readFrom = first
  const readings = tiers.map((tier) => readingOf(options, tier))
  for (const tier of tiers) {
    const { catchUp } = reads === "all" ? tier.live : tier.entries
    yield* Effect.retry(catchUp, { times: 5, schedule: Schedule.exponential("200 millis") })
  }
  for (const reading of readings) yield* keepReading(log, reading)
})

/** If one of the streams belongs to another log, the tier starts over with all of them. */
interface Reading {
  readonly what: string
  readonly edge: Edge
  readonly readers: ReadonlyArray<{ readonly stream: string; readonly reader: TierReading }>
  readonly follow: Effect.Effect<unknown, LogError>
}

const readingOf = ({ intake, log, newRooms, reads }: ReadLiveOptions, { edge, entries, interest, live, name }: Tier): Reading => {
  if (reads === "all") {
    return { what: `LIVE for the ${name} tier`, edge, readers: [{ stream: LIVE, reader: live }], follow: live.follow }
  }
  const releases = new Map<string, () => void>()
  edge.channels.onFollowed = (room, isFollowed) => {
    releases.get(room)?.()
    releases.delete(room)
    const part = partOf(parseRoom(room))
    if (isFollowed && part !== undefined) releases.set(room, interest.hold(part))
  }
  const load: RecordIntake["load"] = (rooms, record) => intake.load(rooms, record)
  const partitions = new PartitionReading({ log, interest, reader: live, rooms: edge.rooms, newRooms, load })
  return {
    what: `list entries and partitions of LIVE for the ${name} tier`,
    edge,
    readers: [
      { stream: LIVE, reader: live },
      { stream: ENTRIES, reader: entries },
    ],
    follow: Effect.all([entries.follow, partitions.follow], { concurrency: 2, discard: true }),
  }
}

/**
 * Reads on until the scope closes. If the log dropped records before they were read, reading continues at the oldest
 * available one; the affected matches detect the gap themselves. If the log is another one, the tier starts with empty
 * rooms.
 */
const keepReading = (log: EventLog["Service"], { edge, follow, readers, what }: Reading) => {
  const startAtOldest = ({ reason, target }: LogError) =>
    Effect.gen(function* () {
      const isOtherLog = reason === "HistoryLost"
      const bounds = yield* Effect.forEach(readers, ({ stream }) => log.bounds(stream))
      for (const [index, { reader, stream }] of readers.entries()) {
        if (!isOtherLog && stream !== target) continue
        const first = bounds[index]?.first ?? 1
        reader.passed = first - 1
        if (stream === LIVE) edge.rooms.readFrom = first
      }
      if (isOtherLog) edge.startOver()
    }).pipe(retrying)
  return follow.pipe(
    Effect.tapError((error) => (error.reason === "HistoryLost" || error.reason === "Dropped" ? startAtOldest(error) : Effect.void)),
    Effect.tapCause((cause) => Effect.logError(`reading ${what} failed; trying again`, cause)),
    Effect.sandbox,
    retrying,
    Effect.forkScoped,
  )
}

const retrying = resettingRetry({ firstMs: 100, longestMs: 5_000 })

/**
 * Sequence number of a record that the tier passes soon, unless it is behind: the newest one in LIVE, or in a partition
 * that the tier reads, chosen by `turn`. Fails if the log does not answer.
 */
export const newestFor = ({ interest, live }: Tier, log: EventLog["Service"], turn: number): Effect.Effect<number, LogError> => {
  const { read } = interest
  if (read === "all") return Effect.map(log.bounds(LIVE), ({ last }) => last)
  const partition = [...read][turn % Math.max(1, read.size)]
  if (partition === undefined) return Effect.map(log.bounds(LIVE), () => live.passed)
  return Effect.map(log.last(LIVE, liveOfPartition(partition)), (newest) => Option.getOrUndefined(newest)?.sequence ?? 0)
}
