/**
 * Moves records that earlier versions stored under other subjects to their current subjects. The subject of a stored
 * record cannot change, so each record is appended again, in order. The ids of the copies contain the former sequences
 * (`movedRecords.ts`).
 */
import { PubHeaders } from "@nats-io/jetstream"
import { headers } from "@nats-io/transport-node"
import type { Effect } from "effect"
import type { LogError } from "../EventLog.ts"
import { movedId } from "../movedRecords.ts"
import type { NatsConnectionService } from "./NatsConnectionService.ts"
import { idOf, type Names } from "./NatsStreams.ts"

export interface FormerSubjects {
  readonly stream: string
  /** Matches no current subject. */
  readonly filter: string
  readonly currentSubject: (former: string) => string
}

/** May be repeated after a failure or run by several processes: the server stores the ids of the copies only once. */
export const moveRecords = (
  link: NatsConnectionService,
  names: Names,
  { currentSubject, filter, stream }: FormerSubjects,
): Effect.Effect<number, LogError> =>
  link.ask("open", stream, async () => {
    const name = names.stream(stream)
    const { state } = await link.manager.streams.info(name, { subjects_filter: names.subject(filter) })
    let moved = 0
    for (const former of Object.keys(state.subjects ?? {})) {
      const subject = names.subject(currentSubject(names.plain(former)))
      for (let seq = 1; ; ) {
        const query = { seq, next_by_subj: former }
        const message = await link.manager.streams.getMessage(name, query)
        if (message === null) break
        const made = headers()
        made.set(PubHeaders.MsgIdHdr, movedId(idOf(message.header), message.seq))
        await link.client.publish(subject, message.data, { headers: made })
        seq = message.seq + 1
        moved += 1
      }
      // Last, so that no record is lost if the process ends earlier.
      await link.manager.streams.purge(name, { filter: former })
    }
    return moved
  })
