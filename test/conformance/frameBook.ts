/**
 * Content of the LIVE log, read independently of the gateway: the publication time of each frame, and the frame of each
 * event.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { allLive, cursorOfMessageId, LIVE, matchOfSubject } from "@matchpoint/contracts/bus/subjects"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { compactOf } from "@matchpoint/cs2/contract/compactOf"
import type { LiveUpdate } from "@matchpoint/cs2/contract/frames"
import { Effect, Stream } from "effect"
import { LiveReader } from "../fixtures/clients/LiveReader.ts"

interface Published {
  /** Time at which the log accepted it, epoch ms. */
  readonly at: number
  readonly update: Uint8Array
}

const text = new TextDecoder()

export class FrameBook {
  readonly #frames = new Map<string, Published>()
  readonly #events = new Map<string, number>()
  readonly #reader = new LiveReader()
  #read = 0

  /** Reads the records published since the last call. */
  readonly refresh = Effect.gen({ self: this }, function* () {
    const log = yield* EventLog
    yield* log.read(LIVE, allLive, this.#read === 0 ? { _tag: "First" } : { _tag: "After", sequence: this.#read }).pipe(
      Stream.runForEach((record) =>
        Effect.sync(() => {
          this.#read = record.sequence
          const matchId = matchOfSubject(record.subject)
          const cursor = cursorOfMessageId(record.id)
          const stamped = this.#reader.take(record)
          if (matchId === undefined || cursor === undefined || stamped === undefined) return
          this.#frames.set(`${matchId}:${cursor.seq}`, { at: record.appendedAt, update: stamped.update })
          const { event } = stamped.views
          if (event !== null) this.#events.set(`${matchId}:${event.eventId}`, cursor.seq)
        }),
      ),
    )
  })

  frame(matchId: string, seq: number): Published | undefined {
    return this.#frames.get(`${matchId}:${seq}`)
  }

  /** Returns the seq of the frame that contained an event. */
  seqOfEvent(matchId: string, eventId: string): number | undefined {
    return this.#events.get(`${matchId}:${eventId}`)
  }

  /** Returns the state hash of its document. */
  hashOf({ update }: Published): string {
    const { data }: LiveUpdate = JSON.parse(text.decode(update))
    return stateHash(compactOf(data))
  }

  get size(): number {
    return this.#frames.size
  }
}
