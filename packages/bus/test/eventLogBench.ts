/**
 * Measures the appends and consumption of a driver and prints one JSON line. Usage: `node
 * packages/bus/test/eventLogBench.ts <driver> <records> [where]`. Drivers: memory, file and file-always (`where`: an
 * empty directory), nats (`where`: its URL; the benchmark removes its streams).
 */
import { Array as Arr, Clock, Console, Effect, Layer, Stream } from "effect"
import { EventLog, type LogError, type StreamSpec } from "../src/EventLog.ts"
import * as EventLogFile from "../src/EventLogFile.ts"
import * as EventLogMemory from "../src/EventLogMemory.ts"
import * as EventLogNats from "../src/EventLogNats.ts"
import { temporaryNamespace } from "./natsServer.ts"

const streams: ReadonlyArray<StreamSpec> = [{ name: "BENCH", subjects: ["bench.*"], maxBytes: 1_000_000_000 }]
const payload = new Uint8Array(300)

const perSecond = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const start = yield* Clock.monotonicTimeNanos
    yield* effect
    const seconds = Number((yield* Clock.monotonicTimeNanos) - start) / 1e9
    return Math.round(count / seconds)
  })

const bench = (driver: string, count: number) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const appendAll = (run: string, subject: (n: number) => string, concurrency: number) =>
      Effect.forEach(Arr.range(1, count), (n) => log.append(subject(n), `${run}:${n}`, payload), { concurrency, discard: true })
    const consumeOne = log.consume("BENCH", "bench.1", { _tag: "First" }).pipe(Stream.take(count), Stream.runDrain)
    const match = (n: number) => `bench.${n % 500}`

    const appendAndConsume = yield* perSecond(
      count,
      Effect.all([consumeOne, appendAll("a", () => "bench.1", 256)], { concurrency: 2, discard: true }),
    )
    const replay = yield* perSecond(count, consumeOne)
    const { last } = yield* log.bounds("BENCH")
    const matches = Effect.forEach(
      Arr.range(0, 499),
      (n) =>
        log.consume("BENCH", `bench.${n}`, { _tag: "After", sequence: last }).pipe(Stream.take(Math.floor(count / 500)), Stream.runDrain),
      { concurrency: "unbounded", discard: true },
    )
    const live = yield* perSecond(count, Effect.all([matches, appendAll("b", match, 256)], { concurrency: 2, discard: true }))
    const appendOneByOne = yield* perSecond(
      count,
      appendAll("c", () => "bench.2", 1),
    )
    yield* Console.log(
      JSON.stringify({
        driver,
        records: count,
        payloadBytes: payload.byteLength,
        perSecond: { appendAndConsume, replay, live500Consumers: live, appendOneByOne },
      }),
    )
  })

const layerOf = (driver: string, where: string): Layer.Layer<EventLog, LogError> => {
  switch (driver) {
    case "memory":
      return EventLogMemory.layer({ streams })
    case "file":
      return EventLogFile.layer({ streams, directory: where })
    case "file-always":
      return EventLogFile.layer({ streams, directory: where, sync: "always" })
    case "nats":
      return Layer.unwrap(Effect.map(temporaryNamespace(where), (namespace) => EventLogNats.layer({ streams, servers: where, namespace })))
    default:
      throw new Error(`no such driver: ${driver}`)
  }
}

const [driver = "memory", count = "200000", where = ""] = process.argv.slice(2)
await Effect.runPromise(Effect.provide(bench(driver, Number(count)), layerOf(driver, where)))
