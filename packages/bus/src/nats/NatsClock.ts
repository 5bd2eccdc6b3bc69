/**
 * Reads the clock of the NATS server. Servers before 2.10 report the time only as the timestamp of a record, so an
 * empty record (the probe) is appended to a small stream and read back. All processes of a namespace share this stream:
 * the time of another process's probe is equally valid. The stream is stored like all others, so that the clock
 * survives what they survive.
 */
import { headers } from "@nats-io/transport-node"
import { Effect, Option } from "effect"
import { LogError, type StreamSpec } from "../EventLog.ts"
import { isUnanswered, type LostStreams } from "./LostStreams.ts"
import type { NatsConnectionService } from "./NatsConnectionService.ts"
import * as NatsStreams from "./NatsStreams.ts"

const SUBJECT = "matchpoint-time"

/** Earlier versions used a stream CLOCK, which one server kept in memory. */
export const timeStream: StreamSpec = { name: "TIME", subjects: [SUBJECT], maxBytes: 64 * 1_024 }

const nothing = new Uint8Array(0)

/** Each call of `EventLog.now` sends two requests. `timeoutMs` is the timeout of each. */
export const open = (
  link: NatsConnectionService,
  names: NatsStreams.Names,
  lost: LostStreams,
  timeoutMs: number,
): Effect.Effect<number, LogError> => {
  const probe = { subject: names.subject(SUBJECT), target: timeStream.name, data: nothing, headers: headers(), timeoutMs }
  const append = link.append(probe)
  return append.pipe(
    Effect.catchIf(isUnanswered, () => Effect.andThen(lost.recreate(timeStream.name), append)),
    Effect.andThen(NatsStreams.last(link, names, timeStream.name, SUBJECT)),
    Effect.flatMap(Option.match({ onNone: () => Effect.fail(unanswered), onSome: ({ appendedAt }) => Effect.succeed(appendedAt) })),
  )
}

const unanswered = new LogError({
  operation: "now",
  target: timeStream.name,
  reason: "Unavailable",
  retryable: true,
  detail: "the server did not return the probe record; try again",
})
