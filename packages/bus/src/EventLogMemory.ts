/** Driver in memory: for tests, demos and data that may be lost. A completed append is visible to every consumer. */
import { Clock, Effect, Layer } from "effect"
import { type Appended, EventLog, LogError, type StreamSpec } from "./EventLog.ts"
import { conflict, invalid, LocalStreams, specProblem } from "./local/LocalStreams.ts"
import { RetainedLog } from "./local/RetainedLog.ts"

export const layer = (options: { readonly streams: ReadonlyArray<StreamSpec> }): Layer.Layer<EventLog, LogError> =>
  Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const problem = specProblem(options.streams)
      if (problem !== undefined) return yield* invalid("open", "memory", problem)
      const now = clock.currentTimeMillisUnsafe()
      const streams = new LocalStreams(
        options.streams.map((spec) => ({ log: new RetainedLog(spec, { now }) })),
        () => clock.currentTimeMillisUnsafe(),
      )

      // Runs for every append: allocates only one record and one result object, and starts no fiber and no promise.
      const append: EventLog["Service"]["append"] = (subject, id, data, options) =>
        Effect.withFiber<Appended, LogError>((fiber) => {
          const routed = streams.route(subject, id, data)
          if (routed instanceof LogError) return routed
          const log = routed.log
          const appendedAt = clock.currentTimeMillisUnsafe()
          const seen = log.seen.find(id, appendedAt)
          if (seen !== undefined) return Effect.succeed({ sequence: seen, duplicate: true })
          const expected = options?.lastOfSubject
          const found = expected === undefined ? 0 : log.lastOf(subject)
          if (expected !== undefined && expected !== found) return conflict(subject, expected, found)
          const sequence = log.last + 1
          if (log.append({ subject, id, sequence, data, appendedAt })) fiber.currentDispatcher.scheduleTask(log.wake, 0)
          return Effect.succeed({ sequence, duplicate: false })
        })

      return EventLog.of({ append, ...streams.reading })
    }),
  )
