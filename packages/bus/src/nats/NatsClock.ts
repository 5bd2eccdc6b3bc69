/**
 * The server's clock. Servers before 2.10 say their time in no answer, but give every record one: a probe in a small stream of its own
 * is appended and read back. All processes of a namespace share the stream; the probe of another one is as good.
 */
import { DiscardPolicy, RetentionPolicy, StorageType } from "@nats-io/jetstream"
import { Effect } from "effect"
import { LogError } from "../EventLog.ts"
import type { NatsLink } from "./NatsLink.ts"
import type { Names } from "./NatsStreams.ts"

const STREAM = "CLOCK"
const SUBJECT = "matchpoint-clock"
const nothing = new Uint8Array(0)

/** Makes the probe's stream and returns `EventLog.now`: two requests to the server. */
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
  detail: "the probe's record is not there",
})
