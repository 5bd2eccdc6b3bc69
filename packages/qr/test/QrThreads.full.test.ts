/** The pool of threads: its bounds, its time limit, and what happens to threads that fail. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Schedule } from "effect"
import type { QrImage } from "../src/QrImage.ts"
import { QrRenderer } from "../src/QrRenderer.ts"
import { QrThreads } from "../src/QrThreads.ts"
import { QrThreadsConfig } from "../src/QrThreadsConfig.ts"

const imageOf = (data: string): QrImage => ({
  data,
  type: "png",
  size: 300,
  margin: 4,
  errorCorrection: "M",
  foreground: [0, 0, 0],
  background: [255, 255, 255],
})

const stuckThread = new URL("./stuckThread.ts", import.meta.url)

const draw = (data: string) => Effect.flatMap(QrRenderer, (renderer) => renderer.draw(imageOf(data)))

const withThreads = (queue: number, timeoutSeconds: number, entry?: URL) =>
  QrThreads.layer(entry).pipe(Layer.provide(Layer.succeed(QrThreadsConfig, { threads: 1, queue, timeoutSeconds })))

describe("QrThreads", () => {
  it.live("draws in a thread, one image after another", () =>
    Effect.gen(function* () {
      const drawings = yield* Effect.all(["one", "two", "three"].map(draw), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        drawings.map(({ _tag }) => _tag),
        ["Drawn", "Drawn", "Drawn"],
      )
    }).pipe(Effect.provide(withThreads(2, 30))),
  )

  it.live("rejects what exceeds the queue at once, and accepts more when the queue has room", () =>
    Effect.gen(function* () {
      const results = yield* Effect.all(
        Array.from({ length: 5 }, (_, at) => Effect.exit(draw(`${at}`))),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(results.map(Exit.isSuccess), [true, true, true, false, false])
      const overloaded = yield* Effect.flip(results[4] ?? Effect.die("no fifth result"))
      assert.deepInclude(overloaded, { _tag: "QrOverloaded", reason: "too many images are being generated; retry later" })
      assert.strictEqual((yield* draw("later"))._tag, "Drawn")
    }).pipe(Effect.provide(withThreads(2, 30))),
  )

  it.live("ends a thread that exceeds the time limit, and starts another one", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(draw("stuck"))
      assert.include(error.reason, "longer than 1 s")
      assert.strictEqual((yield* draw("next"))._tag, "Refused")
    }).pipe(Effect.provide(withThreads(0, 1, stuckThread))),
  )

  it.live("replaces a thread that has ended, and reports failures of a drawing as defects", () =>
    Effect.gen(function* () {
      for (const [data, message] of [
        ["end", "the thread that draws QR codes ended"],
        ["fail", "broken"],
      ] as const) {
        const exit = yield* Effect.exit(draw(data))
        assert.isTrue(Exit.hasDies(exit))
        assert.include(String(exit), message)
        assert.strictEqual((yield* draw("next"))._tag, "Refused")
      }
    }).pipe(Effect.provide(withThreads(0, 30, stuckThread))),
  )

  it.live("finishes an image whose caller has gone, and then draws the next one", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.forkChild(draw("gone"), { startImmediately: true })
      yield* Fiber.interrupt(gone)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(draw("too early"))))
      const drawn = yield* draw("next").pipe(Effect.retry(Schedule.spaced("10 millis")))
      assert.strictEqual(drawn._tag, "Drawn")
    }).pipe(Effect.provide(withThreads(0, 30))),
  )
})
