import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Deferred, Effect, Fiber, Layer, Ref, Schedule, Stream } from "effect"
import { inject } from "vitest"
import { EventLog, type LogError, type StreamSpec } from "../src/EventLog.ts"
import * as EventLogNats from "../src/EventLogNats.ts"
import { eventLogSuite } from "./eventLogSuite.ts"
import { cuttableProxy, manager, ownServer, temporaryNamespace } from "./natsServer.ts"

const url = inject("natsUrl")

const feed: StreamSpec = { name: "FEED", subjects: ["feed.*"], maxBytes: 64_000_000 }
const numbers = (from: number, to: number) => Arr.range(from, to).map(String)

if (url === null) {
  describe.skip("EventLogNats: skipped, no NATS server (see the report of the test setup)", () => {
    it("runs if there is a NATS server", () => {})
  })
} else {
  let suiteNamespace = ""
  eventLogSuite({
    driver: "NATS",
    layer: (streams) =>
      Layer.unwrap(
        Effect.map(temporaryNamespace(url), (namespace) => {
          suiteNamespace = namespace
          return EventLogNats.layer({ servers: url, namespace, streams })
        }),
      ),
    openConsumers: (stream) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { streams } = yield* manager(url)
          const info = yield* Effect.promise(() => streams.info(`${suiteNamespace}_${stream}`))
          return info.state.consumer_count
        }),
      ),
  })

  describe("EventLogNats", () => {
    it.live("loses and repeats no record when its connection is cut repeatedly", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const proxy = yield* cuttableProxy(url)
        const streams = [feed]
        const count = 3_000
        yield* Effect.gen(function* () {
          const log = yield* EventLog
          const got = yield* Ref.make<ReadonlyArray<string>>([])
          const narrow = yield* log
            .consume("FEED", "feed.1", { _tag: "First" })
            .pipe(Stream.take(count / 2), Stream.runCollect, Effect.forkScoped)
          const whole = yield* log.consume("FEED", "feed.*", { _tag: "First" }).pipe(
            Stream.tap((record) => Ref.update(got, (ids) => [...ids, record.id])),
            Stream.take(count),
            Stream.runCollect,
            Effect.forkScoped,
          )
          // Uses the same cut connection and repeats each append with the same id until it is acknowledged, as the port
          // requires.
          yield* Effect.forEach(
            Arr.range(1, count),
            (n) =>
              Effect.andThen(
                n % 500 === 0 ? Effect.sync(() => proxy.cut()) : Effect.void,
                log.append(`feed.${n % 2}`, String(n), new Uint8Array(200)).pipe(Effect.retry({ while: (error) => error.retryable })),
              ),
            { concurrency: 16 },
          )
          const records = yield* Fiber.join(whole)
          assert.deepStrictEqual(
            records.map((it) => it.sequence),
            Arr.range(1, count),
          )
          assert.deepStrictEqual(records.map((it) => it.id).sort(), numbers(1, count).sort())
          const ones = yield* Fiber.join(narrow)
          assert.deepStrictEqual(
            ones.map((it) => it.sequence),
            records.filter((it) => it.subject === "feed.1").map((it) => it.sequence),
          )
        }).pipe(Effect.provide(EventLogNats.layer({ servers: proxy.url, namespace, streams })))
        assert.isAtLeast(proxy.cuts(), 6)
      }),
    )

    it.live("sets maxAgeMs on the server, for new and for existing streams", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const { streams } = yield* manager(url)
        const ageAfter = (spec: StreamSpec) =>
          Effect.gen(function* () {
            yield* Effect.scoped(Effect.provide(EventLog, EventLogNats.layer({ servers: url, namespace, streams: [spec] })))
            return (yield* Effect.promise(() => streams.info(`${namespace}_FEED`))).config.max_age / 1_000_000
          })
        assert.strictEqual(yield* ageAfter(feed), 0)
        assert.strictEqual(yield* ageAfter({ ...feed, maxAgeMs: 3_600_000 }), 3_600_000)
        assert.strictEqual(yield* ageAfter(feed), 0)
      }),
    )

    it.live("an older process leaves the settings of a newer one as they are, and both use the stream", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const { streams } = yield* manager(url)
        const config = Effect.map(
          Effect.promise(() => streams.info(`${namespace}_FEED`)),
          ({ config }) => ({ bytes: config.max_bytes, description: config.description }),
        )
        const layerOf = (settingsVersion: number, maxBytes: number) =>
          Layer.fresh(EventLogNats.layer({ servers: url, namespace, settingsVersion, streams: [{ ...feed, maxBytes }] }))
        const append = (id: string) => Effect.flatMap(EventLog, (log) => log.append("feed.1", id, new Uint8Array(0)))

        const older = yield* Layer.build(layerOf(1, 64_000_000))
        assert.deepStrictEqual(yield* config, { bytes: 64_000_000, description: "Matchpoint, settings 1" })
        const newer = yield* Layer.build(layerOf(2, 32_000_000))
        const after = { bytes: 32_000_000, description: "Matchpoint, settings 2" }
        assert.deepStrictEqual(yield* config, after)
        // The older process starts again beside the newer one.
        const again = yield* Layer.build(layerOf(1, 64_000_000))
        assert.deepStrictEqual(yield* config, after)
        for (const [at, context] of [older, newer, again].entries()) {
          assert.strictEqual((yield* Effect.provideContext(append(`record ${at}`), context)).sequence, at + 1)
        }
      }),
    )

    it.live("moves the records of former subjects once, in order", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const { streams } = yield* manager(url)
        const layerOf = (subjects: ReadonlyArray<string>) =>
          Layer.fresh(
            EventLogNats.layer({
              servers: url,
              namespace,
              streams: [{ ...feed, subjects }],
              formerSubjects: [{ stream: "FEED", filter: "feed.*.*", currentSubject: (former) => former.replace("feed.go", "feed.go.7") }],
            }),
          )
        const bytes = (text: string) => new TextEncoder().encode(text)
        yield* Effect.gen(function* () {
          const log = yield* EventLog
          for (const n of [1, 2, 3]) {
            yield* log.append("feed.go.1", `one:${n}`, bytes(`one ${n}`))
            yield* log.append("feed.go.2", `two:${n}`, bytes(`two ${n}`))
          }
        }).pipe(
          Effect.provide(Layer.fresh(EventLogNats.layer({ servers: url, namespace, streams: [{ ...feed, subjects: ["feed.*.*"] }] }))),
        )
        const read = Effect.gen(function* () {
          const log = yield* EventLog
          const records = yield* Stream.runCollect(log.read("FEED", "feed.go.7.1", { _tag: "First" }))
          return records.map(({ data }) => new TextDecoder().decode(data))
        })
        // Two processes at the same time, and one later.
        const opened = yield* Effect.all(
          [read, read].map((one) => Effect.provide(one, layerOf(["feed.*.*.*"]))),
          { concurrency: 2 },
        )
        const again = yield* Effect.provide(read, layerOf(["feed.*.*.*"]))
        for (const found of [...opened, again]) assert.deepStrictEqual(found, ["one 1", "one 2", "one 3"])
        const { state } = yield* Effect.promise(() => streams.info(`${namespace}_FEED`))
        assert.strictEqual(state.messages, 6)
      }),
    )

    it.live("keeps the size of an existing stream if asked to", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const { streams } = yield* manager(url)
        const sizeAfter = Effect.fnUntraced(function* (maxBytes: number, keepSizes: boolean) {
          yield* Layer.build(Layer.fresh(EventLogNats.layer({ servers: url, namespace, keepSizes, streams: [{ ...feed, maxBytes }] })))
          return (yield* Effect.promise(() => streams.info(`${namespace}_FEED`))).config.max_bytes
        })
        assert.strictEqual(yield* sizeAfter(32_000_000, true), 32_000_000)
        assert.strictEqual(yield* sizeAfter(64_000_000, false), 64_000_000)
        assert.strictEqual(yield* sizeAfter(32_000_000, true), 64_000_000)
      }),
    )

    it.live("continues after its consumer was deleted on the server", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const { consumers } = yield* manager(url)
        yield* Effect.gen(function* () {
          const log = yield* EventLog
          const half = yield* Deferred.make<void>()
          const consumer = yield* log.consume("FEED", "feed.*", { _tag: "First" }).pipe(
            Stream.tap((record) => (record.id === "5" ? Deferred.succeed(half, undefined) : Effect.void)),
            Stream.take(10),
            Stream.runCollect,
            Effect.forkScoped,
          )
          const append = (n: number) => log.append("feed.1", String(n), new Uint8Array(0))
          yield* Effect.forEach(Arr.range(1, 5), append)
          yield* Deferred.await(half)
          yield* Effect.promise(async () => {
            for await (const { name } of consumers.list(`${namespace}_FEED`)) await consumers.delete(`${namespace}_FEED`, name)
          })
          yield* Effect.forEach(Arr.range(6, 10), append)
          const records = yield* Fiber.join(consumer)
          assert.deepStrictEqual(
            records.map((it) => it.id),
            numbers(1, 10),
          )
        }).pipe(Effect.provide(EventLogNats.layer({ servers: url, namespace, streams: [feed], heartbeat: 500 })))
      }),
    )

    it.live("fails a consumer whose log was deleted or replaced, instead of waiting forever", () =>
      Effect.gen(function* () {
        for (const replaced of [false, true]) {
          const namespace = yield* temporaryNamespace(url)
          const { streams } = yield* manager(url)
          const opened = EventLogNats.layer({ servers: url, namespace, streams: [feed], heartbeat: 500 })
          yield* Effect.gen(function* () {
            const log = yield* EventLog
            const reading = yield* Deferred.make<void>()
            yield* log.append("feed.1", "1", new Uint8Array(0))
            const consumer = yield* log.consume("FEED", "feed.*", { _tag: "First" }).pipe(
              Stream.runForEach(() => Deferred.succeed(reading, undefined)),
              Effect.flip,
              Effect.forkScoped,
            )
            yield* Deferred.await(reading)
            const name = `${namespace}_FEED`
            const { config } = yield* Effect.promise(() => streams.info(name))
            yield* Effect.promise(() => streams.delete(name))
            if (replaced) yield* Effect.promise(() => streams.add(config))
            const error = yield* Fiber.join(consumer)
            assert.deepStrictEqual([error.reason, error.retryable], ["HistoryLost", false])
            assert.strictEqual(error.detail.includes("a different log"), replaced)
          }).pipe(Effect.provide(opened))
        }
      }),
    )

    it.live("notices another log although it is longer than the lost one", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const { streams } = yield* manager(url)
        yield* Effect.gen(function* () {
          const log = yield* EventLog
          const reading = yield* Deferred.make<void>()
          yield* log.append("feed.1", "1", new Uint8Array(0))
          const consumer = yield* log.consume("FEED", "feed.1", { _tag: "First" }).pipe(
            Stream.runForEach(() => Deferred.succeed(reading, undefined)),
            Effect.flip,
            Effect.forkScoped,
          )
          yield* Deferred.await(reading)
          yield* Effect.promise(() => streams.delete(`${namespace}_FEED`))
          yield* Effect.forEach(Arr.range(1, 5), (n) =>
            log
              .append("feed.1", `again:${n}`, new Uint8Array(0))
              .pipe(Effect.retry({ while: (error) => error.retryable, schedule: Schedule.spaced("20 millis") })),
          )
          const error = yield* Fiber.join(consumer)
          assert.deepStrictEqual([error.reason, error.retryable], ["HistoryLost", false])
        }).pipe(Effect.provide(EventLogNats.layer({ servers: url, namespace, streams: [feed], heartbeat: 500 })))
      }),
    )

    it.live("creates streams again that the server has lost", () =>
      Effect.gen(function* () {
        const { streams } = yield* manager(url)
        const operations = {
          append: (log: EventLog["Service"]) =>
            Effect.retry(log.append("feed.1", "2", new Uint8Array(0)), {
              while: (error) => error.retryable,
              schedule: Schedule.spaced("20 millis"),
            }),
          bounds: (log: EventLog["Service"]) => Effect.andThen(log.bounds("FEED"), log.append("feed.1", "2", new Uint8Array(0))),
          last: (log: EventLog["Service"]) => Effect.andThen(log.last("FEED", "feed.1"), log.append("feed.1", "2", new Uint8Array(0))),
        }
        for (const operation of Object.values(operations)) {
          const namespace = yield* temporaryNamespace(url)
          yield* Effect.gen(function* () {
            const log = yield* EventLog
            yield* log.append("feed.1", "1", new Uint8Array(0))
            yield* Effect.promise(() => streams.delete(`${namespace}_FEED`))
            assert.strictEqual((yield* operation(log)).sequence, 1)
          }).pipe(Effect.provide(EventLogNats.layer({ servers: url, namespace, streams: [feed] })))
        }
      }),
    )

    it.live("stores the stream for the time like the others, and creates it again if it is lost", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const { streams } = yield* manager(url)
        yield* Effect.gen(function* () {
          const log = yield* EventLog
          const before = yield* log.now
          const { config } = yield* Effect.promise(() => streams.info(`${namespace}_TIME`))
          assert.deepStrictEqual([config.storage, config.num_replicas], ["file", 1])
          yield* Effect.promise(() => streams.delete(`${namespace}_TIME`))
          const after = yield* Effect.retry(log.now, { while: (error) => error.retryable, schedule: Schedule.spaced("100 millis") })
          assert.isAtLeast(after, before)
        }).pipe(Effect.provide(EventLogNats.layer({ servers: url, namespace, streams: [feed], replicas: 1 })))
      }),
    )

    it.live("advances an idle consumer of part of the log, so that dropped records of other subjects do not fail it", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const proxy = yield* cuttableProxy(url)
        const small = { ...feed, maxBytes: 20_000 }
        yield* Effect.gen(function* () {
          const log = yield* EventLog
          const idle = yield* Deferred.make<void>()
          const consumer = yield* log.consume("FEED", "feed.1", { _tag: "First" }).pipe(
            Stream.tap(() => Deferred.succeed(idle, undefined)),
            Stream.take(2),
            Stream.runCollect,
            Effect.forkScoped,
          )
          yield* log.append("feed.1", "first", new Uint8Array(0))
          yield* Deferred.await(idle)
          yield* Effect.forEach(Arr.range(1, 200), (n) => log.append("feed.2", String(n), new Uint8Array(1_000)))
          assert.isAbove((yield* log.bounds("FEED")).first, 100)
          // Real time: two heartbeats of the server.
          yield* Effect.sleep("1200 millis")
          proxy.cut()
          const append = log.append("feed.1", "second", new Uint8Array(0))
          yield* Effect.retry(append, { while: (error) => error.retryable })
          const records = yield* Fiber.join(consumer)
          assert.deepStrictEqual(
            records.map((it) => it.id),
            ["first", "second"],
          )
        }).pipe(Effect.provide(EventLogNats.layer({ servers: proxy.url, namespace, streams: [small], heartbeat: 500 })))
      }),
    )

    it.live("fails a slow consumer of part of the log when records after its position were dropped", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const small = { ...feed, maxBytes: 20_000 }
        yield* Effect.gen(function* () {
          const log = yield* EventLog
          const started = yield* Deferred.make<void>()
          const goOn = yield* Deferred.make<void>()
          const consumer = yield* log.consume("FEED", "feed.1", { _tag: "First" }).pipe(
            Stream.runForEach(() => Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(goOn))),
            Effect.flip,
            Effect.forkScoped,
          )
          yield* log.append("feed.1", "0", new Uint8Array(0))
          yield* Deferred.await(started)
          yield* Effect.forEach(Arr.range(1, 500), (n) => log.append(`feed.${n % 2}`, String(n), new Uint8Array(1_000)), { concurrency: 8 })
          yield* Deferred.succeed(goOn, undefined)
          const error = yield* Fiber.join(consumer)
          assert.deepStrictEqual([error.reason, error.retryable], ["Dropped", false])
        }).pipe(Effect.provide(EventLogNats.layer({ servers: url, namespace, streams: [small], consumeBatch: 16 })))
      }),
    )

    it.live("applies new settings to existing streams and keeps their records", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const { streams } = yield* manager(url)
        const appendIn = (spec: StreamSpec, subject: string) =>
          Effect.flatMap(EventLog, (log) => log.append(subject, subject, new Uint8Array(0))).pipe(
            Effect.provide(EventLogNats.layer({ servers: url, namespace, streams: [spec] })),
          )
        assert.strictEqual((yield* appendIn(feed, "feed.1")).sequence, 1)
        assert.strictEqual((yield* appendIn({ ...feed, subjects: ["feed.*", "more.>"], maxBytes: 1_000_000 }, "more.1.2")).sequence, 2)
        const { config } = yield* Effect.promise(() => streams.info(`${namespace}_FEED`))
        assert.deepStrictEqual(
          [config.subjects, config.max_bytes, config.storage, config.discard, config.retention, config.duplicate_window],
          [[`${namespace}.feed.*`, `${namespace}.more.>`], 1_000_000, "file", "old", "limits", 120e9],
        )
      }),
    )

    it.live("fails at once if it cannot connect, and within the timeout if the connection is lost", () =>
      Effect.gen(function* () {
        const namespace = yield* temporaryNamespace(url)
        const open = (servers: string) =>
          EventLogNats.layer({ servers, namespace, streams: [feed], requestTimeout: 200, publishTimeout: 200 })
        const unreachable: LogError = yield* Effect.flip(Effect.scoped(Effect.provide(EventLog, open("nats://user:secret@127.0.0.1:1"))))
        assert.deepStrictEqual([unreachable.operation, unreachable.reason, unreachable.retryable], ["open", "Unavailable", true])
        assert.strictEqual(unreachable.target, "nats://127.0.0.1:1")

        const proxy = yield* cuttableProxy(url)
        yield* Effect.gen(function* () {
          const log = yield* EventLog
          yield* log.append("feed.1", "1", new Uint8Array(0))
          proxy.block()
          const append = log.append("feed.1", "2", new Uint8Array(0))
          for (const error of [yield* Effect.flip(append), yield* Effect.flip(log.bounds("FEED"))]) {
            assert.deepStrictEqual([error.reason, error.retryable], ["Unavailable", true])
          }
          proxy.unblock()
          const { sequence } = yield* Effect.retry(append, { while: (error) => error.retryable })
          assert.strictEqual(sequence, 2)
        }).pipe(Effect.provide(open(proxy.url)))
      }),
    )
  })
}

const canRunServer = spawnSync("nats-server", ["--version"], { stdio: "ignore" }).status === 0

describe.skipIf(!canRunServer)(`EventLogNats with a private server${canRunServer ? "" : ": skipped, no nats-server in the PATH"}`, () => {
  it.live("loses and repeats no record when the server is killed and restarted", () =>
    Effect.gen(function* () {
      const directory = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "matchpoint-nats-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
      )
      const server = yield* ownServer(directory)
      const count = 2_000
      const consumeAndAppend = Effect.gen(function* () {
        const log = yield* EventLog
        const consumer = yield* log
          .consume("FEED", "feed.*", { _tag: "First" })
          .pipe(Stream.take(count), Stream.runCollect, Effect.forkScoped)
        yield* Effect.forEach(
          Arr.range(1, count),
          (n) =>
            Effect.andThen(
              n === 700 || n === 1_400 ? Effect.andThen(Effect.promise(server.kill), Effect.sync(server.start)) : Effect.void,
              log
                .append(`feed.${n % 2}`, String(n), new Uint8Array(200))
                .pipe(Effect.retry({ while: (error) => error.retryable, schedule: Schedule.spaced("20 millis") })),
            ),
          { concurrency: 8 },
        )
        return yield* Fiber.join(consumer)
      })
      const records = yield* Effect.provide(consumeAndAppend, EventLogNats.layer({ servers: server.url, streams: [feed] }))
      assert.deepStrictEqual(
        records.map((it) => it.sequence),
        Arr.range(1, count),
      )
      assert.deepStrictEqual(records.map((it) => it.id).sort(), numbers(1, count).sort())
    }),
  )
})
