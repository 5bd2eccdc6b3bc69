// Owns the measurement: feeds every match, receives every frame, and reports throughput, latency and CPU time.
import { EventLog } from "@matchpoint/bus/EventLog"
import { encodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { allLive, cursorOfMessageId, LIVE } from "@matchpoint/contracts/bus/subjects"
import { Effect, Stream } from "effect"
import { calm } from "../lib/calm.ts"
import { describeMachine, machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { percentile, rounded } from "../lib/statistics.ts"
import { directoryRecord, type FeedRecord, Feeds } from "./Feeds.ts"
import type { Flags } from "./flags.ts"

/** Frames that the engine published. */
class PublishedFrames {
  frames = 0
  bytes = 0
  /** Time at which the event of a match's n-th frame was appended, n from 1. NaN: not timed. */
  readonly appendedAt: ReadonlyArray<Float64Array>
  readonly latenciesUs: Array<number> = []

  constructor(matches: number, length: number) {
    this.appendedAt = Array.from({ length: matches }, () => new Float64Array(length + 1).fill(Number.NaN))
  }

  take(id: string, bytes: number, now: number): void {
    this.frames += 1
    this.bytes += bytes
    const cursor = cursorOfMessageId(id)
    if (cursor === undefined) return
    const at = this.appendedAt[Number(cursor.matchId.slice("cs2-match-".length)) - 1]?.[cursor.seq] ?? Number.NaN
    if (!Number.isNaN(at)) this.latenciesUs.push(now - at)
  }
}

export const measure = Effect.fnUntraced(function* (flags: Flags) {
  const log = yield* EventLog
  const timed = Math.ceil((flags.rate * flags.seconds) / flags.matches)
  const length = flags.warmUp + flags.events + timed
  const feeds = new Feeds(flags.matches, length)
  const received = new PublishedFrames(flags.matches, length)
  let fed = 0

  yield* Effect.forkScoped(
    log.consume(LIVE, allLive, { _tag: "New" }).pipe(
      Stream.runForEachArray((records) =>
        Effect.sync(() => {
          const now = monotonicUs()
          for (const record of records) received.take(record.id, record.data.length, now)
        }),
      ),
    ),
  )

  const append = ({ data, id, subject }: FeedRecord) => log.append(subject, id, data)
  const announced = encodeAnnouncement
  yield* Effect.forEach(feeds.matches, (id) => append(directoryRecord(id, announced({ matchId: id, announcedAt: 0 }))), {
    discard: true,
    concurrency: 64,
  })

  /** Feeds `count` events of every match in turn, as fast as the window allows. */
  const feed = Effect.fnUntraced(function* (count: number) {
    const total = count * flags.matches
    for (let done = 0; done < total; ) {
      const free = Math.min(flags.window - (fed - received.frames), total - done, 256)
      if (free <= 0) {
        yield* Effect.sleep(0)
        continue
      }
      const records = Array.from({ length: free }, (_, index) => feeds.take((done + index) % flags.matches))
      yield* Effect.forEach(records, append, { discard: true, concurrency: flags.nats === undefined ? 1 : 256 })
      fed += free
      done += free
      yield* Effect.yieldNow
    }
    while (received.frames < fed) yield* Effect.sleep(1)
  })

  yield* feed(flags.warmUp)
  const { calmShare } = flags
  if (calmShare !== undefined) yield* Effect.promise(() => calm(calmShare, monotonicUs() + 240e6))

  const framesBefore = received.frames
  const bytesBefore = received.bytes
  const cpuBefore = process.cpuUsage()
  const machineBefore = machineBusyUs()
  const began = monotonicUs()
  yield* feed(flags.events)
  const tookUs = monotonicUs() - began
  const cpu = process.cpuUsage(cpuBefore)
  const others = machineBusyUs() - machineBefore - cpu.user - cpu.system
  const events = received.frames - framesBefore

  const pacedCpuBefore = process.cpuUsage()
  const pacedBegan = monotonicUs()
  const pacedTotal = timed * flags.matches
  for (let done = 0; done < pacedTotal; ) {
    const due = Math.min(pacedTotal, Math.floor(((monotonicUs() - pacedBegan) / 1e6) * flags.rate))
    for (; done < due; done++) {
      const match = done % flags.matches
      const record = feeds.take(match)
      const times = received.appendedAt[match]
      if (times !== undefined) times[feeds.taken(match)] = monotonicUs()
      yield* append(record)
      fed += 1
    }
    yield* Effect.sleep(1)
  }
  while (received.frames < fed) yield* Effect.sleep(1)
  const pacedUs = monotonicUs() - pacedBegan
  const pacedCpu = process.cpuUsage(pacedCpuBefore)
  const latencies = Float64Array.from(received.latenciesUs).sort()

  const rssMb = Math.round(process.memoryUsage.rss() / 2 ** 20)
  globalThis.gc?.()
  const { heapUsed } = process.memoryUsage()

  return {
    bench: "engine",
    machine: yield* Effect.promise(describeMachine),
    node: process.version,
    log: flags.nats === undefined ? "memory" : "nats",
    checkpoints: flags.checkpoints,
    matches: flags.matches,
    throughput: {
      events,
      eventsPerSecond: Math.round(events / (tookUs / 1e6)),
      bar: 20_000,
      cpuUsPerEvent: rounded((cpu.user + cpu.system) / events, 1),
      /** Cores that other processes used meanwhile. Above a few tenths, the numbers are not reliable. */
      coresOfOthers: rounded(others / tookUs, 2),
      recordBytes: Math.round((received.bytes - bytesBefore) / events),
    },
    latency: {
      eventsPerSecond: Math.round(pacedTotal / (pacedUs / 1e6)),
      measured: latencies.length,
      p50Ms: rounded(percentile(latencies, 0.5) / 1e3, 2),
      p99Ms: rounded(percentile(latencies, 0.99) / 1e3, 2),
      maxMs: rounded((latencies.at(-1) ?? Number.NaN) / 1e3, 2),
      coresUsed: rounded((pacedCpu.user + pacedCpu.system) / pacedUs, 2),
    },
    rssMb,
    /**
     * Heap after a garbage collection. The value per match is the heap of the whole process divided by the matches: it
     * includes the log's indexes, the store and the benchmark.
     */
    heapMb: Math.round(heapUsed / 2 ** 20),
    heapKbPerMatch: Math.round(heapUsed / 2 ** 10 / flags.matches),
  }
})
