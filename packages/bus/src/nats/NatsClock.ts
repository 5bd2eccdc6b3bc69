/**
 * Reads the clock of the NATS server. Servers before version 2.10 report the time only as the timestamp of a record. To
 * obtain it, an empty record (the probe) is appended to a small, separate stream and read back. All processes of a
 * namespace share this stream. It does not matter if another process's probe is read back, because its time is equally
 * valid.
 */
import { DiscardPolicy, RetentionPolicy, StorageType } from "@nats-io/jetstream"
import { Effect } from "effect"
import { LogError } from "../EventLog.ts"
import type { NatsConnectionService } from "./NatsConnectionService.ts"
import type { Names } from "./NatsStreams.ts"

const STREAM = "CLOCK"
const SUBJECT = "matchpoint-clock"
const nothing = new Uint8Array(0)

/**
 * Creates the stream for the probe records and returns the implementation of `EventLog.now`. Each call of `now` sends
 * two requests to the server.
 */
export const open = (link: NatsConnectionService, names: Names): Effect.Effect<Effect.Effect<number, LogError>, LogError> => {
  const stream = names.stream(STREAM)
  const subject = names.subject(SUBJECT)
  const make = link.ask("open", STREAM, () =>
    link.manager.streams.add({
      name: stream,
      subjects: [subject],
      storage: StorageType.Memory,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_msgs: 1,
    }),
  )
  const probe = link
    .ask("now", STREAM, () => link.client.publish(subject, nothing))
    .pipe(
      Effect.andThen(link.ask("now", STREAM, () => link.manager.streams.getMessage(stream, { last_by_subj: subject }))),
      Effect.flatMap((found) => (found === null ? Effect.fail(unanswered) : Effect.succeed(found.time.getTime()))),
    )
  return Effect.as(make, probe)
}

const unanswered = new LogError({
  operation: "now",
  target: STREAM,
  reason: "Unavailable",
  retryable: true,
  detail: "the server did not return the probe record; try again",
})
