/**
 * Draws in a bounded pool of threads with a bounded queue. A thread draws one image at a time. Effect's worker protocol
 * would load effect in each thread, 0.3 s and 15 MB for code that exchanges one message per image.
 */
import { Worker } from "node:worker_threads"
import { Effect, Fiber, Layer, Metric, Pool } from "effect"
import type { ThreadMessage } from "./drawing/drawingThread.ts"
import type { Drawing, QrImage } from "./QrImage.ts"
import { QrOverloaded, QrRenderer } from "./QrRenderer.ts"
import { QrThreadsConfig } from "./QrThreadsConfig.ts"

export const imagesDrawn = Metric.counter("matchpoint_qr_images_total", {
  description: "QR codes drawn and read back, including unreadable ones",
  incremental: true,
})
export const imagesRejected = Metric.counter("matchpoint_qr_overloaded_total", {
  description: "QR codes rejected because the queue was full or the drawing took too long",
  incremental: true,
})

const IDLE_TIME = "5 minutes"

/** Longest wait for a free thread that has started. */
const WAIT_TIME = "30 seconds"

/** Limits of a thread. Images of the largest size need a tenth. */
const resourceLimits = { maxOldGenerationSizeMb: 128 }

const defaultEntry = new URL("./drawing/drawingThread.ts", import.meta.url)

export class QrThreads {
  /** Tests pass another program of a thread. */
  static readonly layer = (entry: URL = defaultEntry): Layer.Layer<QrRenderer> => Layer.effect(QrRenderer, make(entry))
}

const make = Effect.fnUntraced(function* (entry: URL) {
  const { queue, threads, timeoutSeconds } = yield* QrThreadsConfig
  const scope = yield* Effect.scope
  const pool = yield* Pool.makeWithTTL({ acquire: startThread(entry), min: 0, max: threads, timeToLive: IDLE_TIME })
  let admitted = 0

  const inThread = (image: QrImage): Effect.Effect<Drawing, QrOverloaded> =>
    Effect.scoped(
      Effect.flatMap(Effect.timeoutOrElse(Pool.get(pool), { duration: WAIT_TIME, orElse: () => overloaded(TOO_MANY) }), (thread) =>
        exchange(thread, image).pipe(
          Effect.onError(() => Pool.invalidate(pool, thread)),
          Effect.timeoutOrElse({
            duration: `${timeoutSeconds} seconds`,
            orElse: () => overloaded(`the image took longer than ${timeoutSeconds} s; use a smaller logo or retry later`),
          }),
        ),
      ),
    )

  return QrRenderer.of({
    draw: (image) =>
      Effect.suspend(() => {
        if (admitted >= threads + queue) return overloaded(TOO_MANY)
        admitted++
        // The fiber belongs to the pool: if the caller disconnects, the thread finishes its image, because it could not
        // draw the next one before.
        const drawing = inThread(image).pipe(
          Effect.tap(Metric.update(imagesDrawn, 1)),
          Effect.ensuring(Effect.sync(() => admitted--)),
          Effect.forkIn(scope, { startImmediately: true }),
        )
        return Effect.flatMap(drawing, Fiber.join)
      }),
  })
})

const TOO_MANY = "too many images are being generated; retry later"

const overloaded = (reason: string): Effect.Effect<never, QrOverloaded> =>
  Effect.andThen(Metric.update(imagesRejected, 1), Effect.fail(new QrOverloaded({ reason })))

const startThread = (entry: URL) =>
  Effect.acquireRelease(
    Effect.sync(() => new Worker(entry, { resourceLimits })),
    (thread) => Effect.promise(() => thread.terminate()),
  ).pipe(
    Effect.tap((thread) => nextMessage(thread)),
    // The job that finds the thread dead replaces it. Without a listener, the error would end the process.
    Effect.tap((thread) => Effect.sync(() => thread.on("error", () => undefined))),
  )

/** Dies if the thread fails or ends. */
const exchange = (thread: Worker, image: QrImage): Effect.Effect<Drawing> =>
  Effect.flatMap(
    Effect.suspend(() => {
      thread.postMessage(image)
      return nextMessage(thread)
    }),
    (message) => {
      if (message._tag === "Drawn" || message._tag === "Refused") return Effect.succeed(message)
      return Effect.die(message._tag === "Failed" ? message.error : new Error("the thread that draws QR codes is ready twice"))
    },
  )

const nextMessage = (thread: Worker): Effect.Effect<ThreadMessage> =>
  Effect.callback<ThreadMessage>((resume) => {
    const forget = () => thread.off("message", replied).off("error", failed).off("exit", ended)
    const settle = (result: Effect.Effect<ThreadMessage>) => {
      forget()
      resume(result)
    }
    const replied = (message: ThreadMessage) => settle(Effect.succeed(message))
    const failed = (error: unknown) => settle(Effect.die(error))
    const ended = () => settle(Effect.die(new Error("the thread that draws QR codes ended")))
    thread.on("message", replied).on("error", failed).on("exit", ended)
    return Effect.sync(forget)
  })
