/**
 * Starts the readers of both tiers. By default, a tier reads all records of LIVE. If the gateway reads only what its clients
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
  /** Reads LIVE. */
  readonly live: TierReading
  /** Reads ENTRIES. */
  readonly entries: TierReading
}

export interface ReadLiveOptions {
  readonly log: EventLog["Service"]
  readonly reads: "all" | "followed"
  readonly tiers: ReadonlyArray<Tier>
  readonly intake: RecordIntake
  readonly newRooms: () => LiveRooms
}

/** Ends when both tiers have everything that the log held at the start. The readers then go on for as long as the scope. */
export const readLive = Effect.fnUntraced(function* (options: ReadLiveOptions): Effect.fn.Return<void, LogError, Scope.Scope> {
  const { log, reads, tiers } = options
  const { first } = yield* log.bounds(LIVE)
  for (const { edge } of tiers) edge.rooms.readFrom = first
  const readings = tiers.flatMap((tier) => readingsOf(options, tier))
  for (const tier of tiers) {
    const { catchUp } = reads === "all" ? tier.live : tier.entries
    yield* Effect.retry(catchUp, { times: 5, schedule: Schedule.exponential("200 millis") })
  }
  for (const reading of readings) yield* keepReading(log, reading)
})

interface Reading {
  readonly what: string
  readonly stream: string
  readonly reader: TierReading
  readonly edge: Edge
  readonly follow: Effect.Effect<unknown, LogError>
}

const readingsOf = (
  { intake, log, newRooms, reads }: ReadLiveOptions,
  { edge, entries, interest, live, name }: Tier,
): ReadonlyArray<Reading> => {
  if (reads === "all") return [{ what: `LIVE for the ${name} tier`, stream: LIVE, reader: live, edge, follow: live.follow }]
  const releases = new Map<string, () => void>()
  edge.onFollowed = (room, isFollowed) => {
    releases.get(room)?.()
    releases.delete(room)
    const part = partOf(parseRoom(room))
    if (isFollowed && part !== undefined) releases.set(room, interest.hold(part))
  }
  const load: RecordIntake["load"] = (rooms, record) => intake.load(rooms, record)
  const partitions = new PartitionReading({ log, interest, reader: live, rooms: edge.rooms, newRooms, load })
  return [
    { what: `list entries for the ${name} tier`, stream: ENTRIES, reader: entries, edge, follow: entries.follow },
    { what: `partitions of LIVE for the ${name} tier`, stream: LIVE, reader: live, edge, follow: partitions.follow },
  ]
}

/**
 * Reads on for as long as the scope. If the log dropped records before they were read, reading continues at the oldest
 * available record. The affected matches detect the gap themselves.
 */
const keepReading = (log: EventLog["Service"], { edge, follow, reader, stream, what }: Reading) =>
  follow.pipe(
    Effect.tapError((error) =>
      error.reason === "Dropped" || error.reason === "HistoryLost"
        ? Effect.map(log.bounds(stream), ({ first }) => {
            reader.passed = first - 1
            if (stream === LIVE) edge.rooms.readFrom = first
          })
        : Effect.void,
    ),
    Effect.tapCause((cause) => Effect.logError(`reading ${what} failed; trying again`, cause)),
    Effect.sandbox,
    resettingRetry({ firstMs: 100, longestMs: 5_000 }),
    Effect.forkScoped,
  )

/**
 * Returns the sequence number of a record that the tier passes soon, unless it is behind: of the newest one in LIVE, or in one
 * of the partitions that the tier reads. `turn` chooses the partition. Fails if the log does not answer.
 */
export const newestFor = ({ interest, live }: Tier, log: EventLog["Service"], turn: number): Effect.Effect<number, LogError> => {
  const { read } = interest
  if (read === "all") return Effect.map(log.bounds(LIVE), ({ last }) => last)
  const partition = [...read][turn % Math.max(1, read.size)]
  if (partition === undefined) return Effect.map(log.bounds(LIVE), () => live.passed)
  return Effect.map(log.last(LIVE, liveOfPartition(partition)), (newest) => Option.getOrUndefined(newest)?.sequence ?? 0)
}
