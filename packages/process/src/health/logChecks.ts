/**
 * `log`: the log stores records. `bus`: readers receive them. Each check appends a probe to a stream that is used only
 * for this purpose; `bus` also waits until a reader has received it.
 */
import { randomUUID } from "node:crypto"
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { HEALTH, healthSubject } from "@matchpoint/contracts/bus/subjects"
import { Deferred, Effect, Option, Stream } from "effect"
import { ANSWER_WITHIN_MS, type Check, degraded, failed, ok } from "./Check.ts"

/** The probe fills one disk block, because a smaller record might still fit on a full disk. */
const probe = new Uint8Array(4_096)

/** Time to deliver the probe. Shorter than the timeout of the check, so that the report can state that the delivery failed. */
const DELIVERED_WITHIN_MS = ANSWER_WITHIN_MS - 200

export const logChecks = Effect.gen(function* () {
  const eventLog = yield* EventLog
  const processId = randomUUID()
  let probes = 0
  /** The probe for which the `bus` check is waiting. */
  let awaited: { readonly id: string; readonly received: Deferred.Deferred<void> } | undefined

  const nextId = () => {
    probes += 1
    return `${processId}:${probes}`
  }

  const receive = ({ id }: LogRecord) =>
    Effect.suspend(() => (awaited?.id === id ? Deferred.succeed(awaited.received, undefined) : Effect.void))
  yield* eventLog
    .consume(HEALTH, healthSubject, { _tag: "New" })
    .pipe(Stream.runForEach(receive), Effect.sandbox, resettingRetry({ firstMs: 100, longestMs: 2_000 }), Effect.forkScoped)

  const log: Check = {
    name: "log",
    find: Effect.suspend(() => Effect.as(eventLog.append(healthSubject, nextId(), probe), ok("the log stores records"))),
  }

  const bus: Check = {
    name: "bus",
    find: Effect.gen(function* () {
      const received = yield* Deferred.make<void>()
      const id = nextId()
      awaited = { id, received }
      const appended = yield* Effect.option(eventLog.append(healthSubject, id, probe))
      if (Option.isNone(appended)) return degraded("not checked, because the log stores no records")
      const delivered = yield* Effect.timeoutOption(Deferred.await(received), DELIVERED_WITHIN_MS)
      return Option.isSome(delivered)
        ? ok("readers receive what the log stores")
        : failed(`a stored record has not reached its reader within ${DELIVERED_WITHIN_MS} ms`)
    }),
  }
  return { log, bus }
})
