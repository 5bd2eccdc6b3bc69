import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { EventLog, type LogError, type StreamSpec } from "../src/EventLog.ts"
import * as EventLogFile from "../src/EventLogFile.ts"
import { eventLogSuite } from "./eventLogSuite.ts"

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "matchpoint-bus-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
)

// Small segments, so that the streams of the suite span many of them.
eventLogSuite({
  driver: "file",
  layer: (streams) =>
    Layer.unwrap(Effect.map(temporaryDirectory, (directory) => EventLogFile.layer({ directory, streams, segmentBytes: 16 * 1024 }))),
})

const feed: StreamSpec = { name: "FEED", subjects: ["feed.*"], maxBytes: 64_000_000 }

/** Opens the log in the directory, calls `run`, and closes the log. */
const opened = <A, E>(
  directory: string,
  run: (log: EventLog["Service"]) => Effect.Effect<A, E>,
  options: Partial<EventLogFile.Options> = {},
): Effect.Effect<A, E | LogError> =>
  Effect.flatMap(EventLog, run).pipe(
    Effect.provide(EventLogFile.layer({ directory, streams: [feed], segmentBytes: 4_096, ...options }), { local: true }),
  )

const appendMany = (from: number, to: number) => (log: EventLog["Service"]) =>
  Effect.forEach(Arr.range(from, to), (n) => log.append(`feed.${n % 3}`, `fact:${n}`, new TextEncoder().encode(`payload ${n}`)))

const readAll = (log: EventLog["Service"]) => log.read("FEED", ">", { _tag: "First" }).pipe(Stream.runCollect)

const segmentsOf = (directory: string): ReadonlyArray<string> =>
  readdirSync(join(directory, "FEED"))
    .sort()
    .map((name) => join(directory, "FEED", name))

describe("EventLogFile", () => {
  it.effect("drops records older than maxAgeMs, including those that a restart reads from disk", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const streams = [{ ...feed, maxAgeMs: 120_000 }]
      yield* TestClock.setTime(1_700_000_000_000)
      yield* opened(directory, appendMany(1, 100), { streams })
      yield* TestClock.adjust("100 seconds")
      yield* opened(directory, appendMany(101, 110), { streams })
      yield* TestClock.adjust("30 seconds")
      yield* opened(
        directory,
        (log) =>
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* log.bounds("FEED"), { first: 101, last: 110 })
            yield* TestClock.adjust("100 seconds")
            assert.deepStrictEqual(yield* log.bounds("FEED"), { first: 111, last: 110 })
          }),
        { streams },
      )
      yield* opened(directory, (log) => Effect.map(appendMany(111, 111)(log), ([one]) => assert.strictEqual(one?.sequence, 111)), {
        streams,
      })
    }),
  )

  it.effect("restores all records and remembered ids after a clean close", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* TestClock.setTime(1_700_000_000_000)
      yield* opened(directory, appendMany(1, 500), { sync: "always" })
      assert.isAbove(segmentsOf(directory).length, 3)
      yield* TestClock.adjust("1 minute")
      yield* opened(directory, (log) =>
        Effect.gen(function* () {
          const records = yield* readAll(log)
          assert.deepStrictEqual(
            records.map((it) => [it.sequence, it.id, it.subject, new TextDecoder().decode(it.data), it.appendedAt]),
            Arr.range(1, 500).map((n) => [n, `fact:${n}`, `feed.${n % 3}`, `payload ${n}`, 1_700_000_000_000]),
          )
          assert.strictEqual(Option.getOrThrow(yield* log.last("FEED", "feed.1")).sequence, 499)
          assert.deepStrictEqual(yield* log.append("feed.1", "fact:7", new Uint8Array(0)), { sequence: 7, duplicate: true })
          assert.deepStrictEqual(yield* log.append("feed.1", "fact:501", new Uint8Array(0)), { sequence: 501, duplicate: false })
        }),
      )
      yield* TestClock.adjust("3 minutes")
      const late = yield* opened(directory, (log) => log.append("feed.1", "fact:7", new Uint8Array(0)))
      assert.deepStrictEqual(late, { sequence: 502, duplicate: false })
    }),
  )

  it.live("keeps every acknowledged record when the process is killed, and takes over its lock", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const child = yield* appender(directory)
      let output = ""
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString()
      })
      yield* waitUntil(child, () => output.length > 30_000)
      const closed = Effect.promise(() => once(child, "close"))
      child.kill("SIGKILL")
      yield* closed
      // The kill can cut the last line in half; an incomplete line is no acknowledgement.
      const acknowledged = output.slice(0, output.lastIndexOf("\n")).split("\n")
      assert.isAbove(acknowledged.length, 5_000)
      yield* opened(directory, (log) =>
        Effect.gen(function* () {
          const records = yield* readAll(log)
          assert.deepStrictEqual(
            records.map((it) => it.sequence),
            Arr.range(1, records.length),
          )
          const kept = new Set(records.map((it) => it.id))
          assert.strictEqual(kept.size, records.length)
          assert.deepStrictEqual(
            acknowledged.filter((n) => !kept.has(`fact:${n}`)),
            [],
          )
          assert.isTrue(records.every((it) => it.id === `fact:${new TextDecoder().decode(it.data)}`))
          const again = yield* log.append("feed.1", `fact:${acknowledged.at(-1)}`, new Uint8Array(0))
          assert.isTrue(again.duplicate)
          assert.strictEqual((yield* log.append("feed.1", "after", new Uint8Array(0))).sequence, records.length + 1)
        }),
      )
    }),
  )

  it.live("keeps the same records across a reopen when maxBytes drops the oldest, and bounds the bytes on disk", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const streams = [{ ...feed, maxBytes: 20_000 }]
      const appendUpTo = (from: number, to: number) =>
        opened(directory, (log) => Effect.andThen(appendMany(from, to)(log), log.bounds("FEED")), { streams })
      let before = yield* appendUpTo(1, 1_000)
      // Reopens at many fill levels of a segment.
      for (let n = 1_000; n < 1_400; n += 27) {
        const after = yield* opened(directory, (log) => log.bounds("FEED"), { streams })
        assert.deepStrictEqual(after, before)
        assert.isAbove(before.first, 700)
        const bytes = segmentsOf(directory).reduce((sum, path) => sum + statSync(path).size, 0)
        assert.isBelow(bytes, 30_000)
        before = yield* appendUpTo(n + 1, n + 27)
      }
    }),
  )

  it.live("removes an incomplete write from the end of the journal and continues", () =>
    Effect.gen(function* () {
      for (const tear of [
        (path: string) => truncateSync(path, statSync(path).size - 5),
        (path: string) => truncateSync(path, 3),
        (path: string) => appendFileSync(path, Buffer.alloc(100)),
        (path: string) => appendFileSync(path, readFileSync(path).subarray(8, 40)),
      ]) {
        const directory = yield* temporaryDirectory
        yield* opened(directory, appendMany(1, 300))
        const path = segmentsOf(directory).at(-1) ?? ""
        tear(path)
        yield* opened(directory, (log) =>
          Effect.gen(function* () {
            const { last } = yield* log.bounds("FEED")
            assert.isTrue(last > 200 && last <= 300, `last: ${last}`)
            assert.strictEqual((yield* log.append("feed.1", "after", new Uint8Array(0))).sequence, last + 1)
          }),
        )
        const records = yield* opened(directory, readAll)
        assert.deepStrictEqual(
          records.map((it) => it.sequence),
          Arr.range(1, records.length),
        )
        assert.strictEqual(records.at(-1)?.id, "after")
      }
    }),
  )

  it.live("fails to open a damaged journal and names the damaged file", () =>
    Effect.gen(function* () {
      const flip = (path: string, offset: number) => {
        const content = readFileSync(path)
        content.writeUInt8(content.readUInt8(offset) ^ 0xff, offset)
        writeFileSync(path, content)
      }
      const damages: ReadonlyArray<(segments: ReadonlyArray<string>) => string | undefined> = [
        // A payload byte in a middle segment, the format name in the first one, and a record length followed by valid
        // records in the last one.
        (segments) => segments.at(1),
        (segments) => segments.at(0),
        (segments) => segments.at(-1),
      ]
      const offsets = [100, 2, 8]
      for (const [i, choose] of damages.entries()) {
        const directory = yield* temporaryDirectory
        yield* opened(directory, appendMany(1, 310))
        const path = choose(segmentsOf(directory)) ?? ""
        flip(path, offsets[i] ?? 0)
        const error = yield* Effect.flip(opened(directory, readAll))
        assert.deepStrictEqual([error.operation, error.reason, error.retryable], ["open", "Corrupt", false])
        assert.include(error.detail, path)
      }
      const directory = yield* temporaryDirectory
      yield* opened(directory, appendMany(1, 300))
      const active = segmentsOf(directory).at(-1) ?? ""
      const whole = readFileSync(active)
      appendFileSync(active, whole.subarray(8))
      const repeated = yield* Effect.flip(opened(directory, readAll))
      assert.strictEqual(repeated.reason, "Corrupt")
      assert.include(repeated.detail, active)
      writeFileSync(active, whole)
      rmSync(segmentsOf(directory)[1] ?? "")
      const error = yield* Effect.flip(opened(directory, readAll))
      assert.strictEqual(error.reason, "Corrupt")
      assert.include(error.detail, segmentsOf(directory)[1] ?? "")
    }),
  )

  it.live("rejects a directory that another running process uses, and names that process", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const child = yield* appender(directory)
      let output = ""
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString()
      })
      yield* waitUntil(child, () => output.length > 0)
      const error = yield* Effect.flip(opened(directory, readAll))
      assert.deepStrictEqual([error.reason, error.retryable], ["Locked", true])
      assert.strictEqual(error.message, `open ${directory}: in use by process ${child.pid}; stop that process or choose another directory`)
    }),
  )

  it.live("allows one log per directory in the same process, and a second one after the first is closed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const twice = yield* opened(directory, () => Effect.flip(opened(directory, readAll)))
      assert.strictEqual(twice.reason, "Locked")
      assert.strictEqual((yield* opened(directory, readAll)).length, 0)
    }),
  )

  it.live("reports a directory that cannot be created", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "file")
      writeFileSync(file, "")
      const error = yield* Effect.flip(opened(file, readAll))
      assert.strictEqual(error.reason, "Unavailable")
      assert.match(error.message, /cannot create directory .*; choose a directory that this process may write to$/)
    }),
  )

  it.live("fails appends while the disk fails, and continues when it works again", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const folder = join(directory, "FEED")
      yield* opened(directory, (log) =>
        Effect.gen(function* () {
          yield* appendMany(1, 100)(log)
          renameSync(folder, `${folder}.away`)
          const error = yield* Effect.flip(appendMany(101, 300)(log))
          assert.deepStrictEqual([error.operation, error.reason, error.retryable], ["append", "Unavailable", true])
          renameSync(`${folder}.away`, folder)
          yield* appendMany(101, 300)(log)
        }),
      )
      const records = yield* opened(directory, readAll)
      assert.deepStrictEqual(
        records.map((it) => it.id),
        Arr.range(1, 300).map((n) => `fact:${n}`),
      )
    }),
  )

  it.live("rejects appends after the close", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const log = yield* opened(directory, Effect.succeed)
      const error = yield* Effect.flip(log.append("feed.1", "late", new Uint8Array(0)))
      assert.deepStrictEqual([error.reason, error.retryable], ["Closed", false])
    }),
  )
})

type Child = ChildProcessByStdio<null, Readable, null>

const appender = (directory: string) =>
  Effect.acquireRelease(
    Effect.sync(
      (): Child =>
        spawn(process.execPath, [fileURLToPath(new URL("fileAppender.ts", import.meta.url)), directory], {
          stdio: ["ignore", "pipe", "inherit"],
        }),
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL")),
  )

/** Waits until `done` returns true, and checks it at each piece of output. Fails if the process ends first. */
const waitUntil = (child: Child, done: () => boolean): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const look = () => {
      if (done()) resume(Effect.void)
    }
    const ended = (code: number | null) => resume(Effect.die(new Error(`the appender ended with ${code}`)))
    child.stdout.on("data", look)
    child.once("exit", ended)
    return Effect.sync(() => {
      child.stdout.off("data", look)
      child.off("exit", ended)
    })
  })
