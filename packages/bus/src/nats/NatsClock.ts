/**
 * Reads the server's clock. Servers before 2.10 report the time only for records, so a probe record is appended to a
 * small stream of its own and read back. All processes of a namespace share the stream; reading back another process's
 * probe gives an equally valid time.
 */
import { DiscardPolicy, RetentionPolicy, StorageType } from "@nats-io/jetstream"
import { Effect } from "effect"
import { LogError } from "../EventLog.ts"
import type { NatsLink } from "./NatsLink.ts"
import type { Names } from "./NatsStreams.ts"

const STREAM = "CLOCK"
const SUBJECT = "matchpoint-clock"
const nothing = new Uint8Array(0)

/** Creates the probe's stream and returns `EventLog.now`, which costs two requests to the server. */
export const open = (link: NatsLink, names: Names): Effect.Effect<Effect.Effect<number, LogError>, LogError> => {
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
