/** Reads the message ids of the LIVE stream from NATS, directly, without the code of the product. */
import { LIVE } from "@matchpoint/contracts/bus/subjects"
import { jetstream, jetstreamManager } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { Effect, Schema } from "effect"
import { natsUrl, type RunningNats } from "../system/nats.ts"

const WITHIN_MS = 60_000

/** The LIVE stream could not be read. */
export class LiveUnreadable extends Schema.TaggedError<LiveUnreadable>()("LiveUnreadable", { message: Schema.String }) {}

export const liveRecordIds = ({ nodes }: RunningNats): Effect.Effect<ReadonlyArray<string>, LiveUnreadable> =>
  Effect.tryPromise({
    try: async () => {
      const connection = await connect({ servers: natsUrl(nodes.map(({ port }) => port)).split(","), timeout: 5_000 })
      try {
        const { messages } = (await (await jetstreamManager(connection)).streams.info(LIVE)).state
        const ids: Array<string> = []
        if (messages === 0) return ids
        const consumer = await jetstream(connection).consumers.get(LIVE)
        for await (const message of await consumer.consume({ max_messages: 1_000 })) {
          ids.push(message.headers?.get("Nats-Msg-Id") ?? "")
          if (message.info.pending === 0) break
        }
        return ids
      } finally {
        await connection.close()
      }
    },
    catch: (cause) => new LiveUnreadable({ message: `LIVE could not be read: ${String(cause)}` }),
  }).pipe(
    Effect.timeoutOrElse({
      duration: WITHIN_MS,
      orElse: () => Effect.fail(new LiveUnreadable({ message: `LIVE could not be read within ${WITHIN_MS} ms` })),
    }),
  )
