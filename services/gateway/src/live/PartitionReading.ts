/**
 * Reads only the partitions of LIVE that the `Interest` of a tier names. The matches of added partitions are first read
 * into rooms of their own while the reader goes on. Then the reader stops, reads the rest, and continues with all of
 * them: all records reach the tier in the order of the log, and a match is complete as soon as it can be followed.
 */
import type { EventLog, From, LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { allLive, LIVE, liveOfPartition, matchOfSubject, PARTITIONS, partitionOf } from "@matchpoint/contracts/bus/subjects"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import { Array as Arr, Effect, Latch, Stream } from "effect"
import type { Interest, Partitions } from "./Interest.ts"
import type { TierReading } from "./TierReading.ts"

/** Interval at which unused partitions are dropped, in milliseconds. */
const DROP_UNUSED_EVERY_MS = 10_000

const WATCH_EVERY_MS = 10_000

export interface PartitionReadingOptions {
  readonly log: EventLog["Service"]
  readonly interest: Interest
  readonly reader: Pick<TierReading, "passed" | "isDue" | "pass">
  readonly rooms: LiveRooms
  /** Returns empty rooms. */
  readonly newRooms: () => LiveRooms
  /** For rooms that no client follows yet. */
  readonly load: (rooms: LiveRooms, record: LogRecord) => void
}

interface Change {
  readonly wanted: Partitions
  readonly added: ReadonlySet<number>
  readonly loaded: LiveRooms
  /** Log position up to which `loaded` has all records. */
  readonly loadedTo: number
}

export class PartitionReading {
  readonly #options: PartitionReadingOptions
  readonly #missing = Latch.makeUnsafe()

  constructor(options: PartitionReadingOptions) {
    this.#options = options
    options.interest.onMissing = () => this.#missing.openUnsafe()
  }

  /** Never ends by itself. After a failure, it can be run again. */
  readonly follow: Effect.Effect<never, LogError> = Effect.suspend(() => Effect.raceFirst(this.#consume(), this.#nextChange())).pipe(
    Effect.flatMap((change) => this.#apply(change)),
    Effect.forever,
  )

  #consume(): Effect.Effect<never, LogError> {
    const { interest, log, reader } = this.#options
    const filters = filtersOf(interest.read)
    if (!Arr.isReadonlyArrayNonEmpty(filters)) return this.#watch()
    return Effect.andThen(Stream.runForEachArray(log.consume(LIVE, filters, after(reader.passed)), reader.pass), Effect.never)
  }

  /** While no partition is read, no reader notices that the log is another one. */
  #watch(): Effect.Effect<never, LogError> {
    const { log, rooms } = this.#options
    const look = Effect.gen(function* () {
      const { dueTo } = rooms
      const { last } = yield* log.bounds(LIVE)
      if (last < dueTo) yield* Stream.runDrain(log.read(LIVE, allLive, after(dueTo)))
    })
    return Effect.forever(Effect.delay(look, WATCH_EVERY_MS))
  }

  /** Waits until other partitions must be read, and reads the past of added ones. */
  #nextChange(): Effect.Effect<Change, LogError> {
    const { interest, load, log, newRooms, reader } = this.#options
    return Effect.gen({ self: this }, function* () {
      let wanted = interest.wanted()
      while (isSame(wanted, interest.read)) {
        yield* Effect.raceFirst(this.#missing.await, Effect.sleep(DROP_UNUSED_EVERY_MS))
        this.#missing.closeUnsafe()
        wanted = interest.wanted()
      }
      const added = missingIn(interest.read, wanted)
      const loaded = newRooms()
      const loadedTo = reader.passed
      const filters = [...added].map(liveOfPartition)
      if (loadedTo > 0 && Arr.isReadonlyArrayNonEmpty(filters)) {
        yield* log.read(LIVE, filters, after(0)).pipe(
          Stream.takeWhile((record) => record.sequence <= loadedTo),
          Stream.runForEachArray((records) =>
            Effect.sync(() => {
              for (const record of records) load(loaded, record)
            }),
          ),
        )
      }
      return { wanted, added, loaded, loadedTo }
    })
  }

  /** Reads what is left, in one order, and hands the new matches over. Runs while nothing else takes records. */
  #apply({ added, loaded, loadedTo, wanted }: Change): Effect.Effect<void, LogError> {
    const { interest, load, log, reader, rooms } = this.#options
    const isAdded = ({ subject }: LogRecord): boolean => {
      const matchId = matchOfSubject(subject)
      return matchId !== undefined && added.has(partitionOf(matchId))
    }
    const take = (record: LogRecord): Effect.Effect<void, LogError> => {
      if (isAdded(record)) load(loaded, record)
      else if (record.sequence > reader.passed) return reader.pass([record])
      reader.passed = Math.max(reader.passed, record.sequence)
      return Effect.void
    }
    const filters = [...new Set([...filtersOf(interest.read), ...[...added].map(liveOfPartition)])]
    const rest =
      added.size > 0 && Arr.isReadonlyArrayNonEmpty(filters)
        ? log.read(LIVE, filters, after(loadedTo)).pipe(Stream.takeWhile(reader.isDue), Stream.runForEach(take))
        : Effect.void
    return Effect.andThen(
      rest,
      Effect.sync(() => {
        rooms.adopt(loaded)
        interest.settle(wanted)
      }),
    )
  }
}

const after = (sequence: number): From => (sequence === 0 ? { _tag: "First" } : { _tag: "After", sequence })

const filtersOf = (partitions: Partitions): ReadonlyArray<string> =>
  partitions === "all" ? [allLive] : [...partitions].map(liveOfPartition)

const everyPartition: ReadonlySet<number> = new Set(Array.from({ length: PARTITIONS }, (_, partition) => partition))

const missingIn = (read: Partitions, wanted: Partitions): ReadonlySet<number> => {
  if (read === "all") return new Set()
  const all = wanted === "all" ? everyPartition : wanted
  return new Set([...all].filter((partition) => !read.has(partition)))
}

const isSame = (one: Partitions, other: Partitions): boolean =>
  one === "all" || other === "all" ? one === other : one.size === other.size && [...one].every((partition) => other.has(partition))
