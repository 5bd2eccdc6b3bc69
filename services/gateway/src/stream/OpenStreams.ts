/**
 * Registry of the open streams of this gateway, by API key. It limits the number of streams per key, bills streams and
 * ends them. It does not depend on the transport of a stream (see `Ticket.holder`).
 */
import { TooManyConnections } from "@matchpoint/contracts/http/errors"
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import type { Refused } from "@matchpoint/metering/Meter"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import type { SessionOwner, StreamSession } from "@matchpoint/metering/StreamSession"
import { Context, Effect, Exit, Layer } from "effect"
import type { LiveChannel } from "./channels.ts"
import { endingOf, type StreamEnd } from "./streamEnds.ts"

/** The part of a stream's transport that this registry uses to end the stream. */
export interface StreamTransport {
  /** Sends the reason to the client and ends the stream. May be called more than once. */
  readonly end: (ending: StreamEnd) => void
}

export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /**
     * Counts a new stream of the key and charges one request for connecting. The returned ticket must always be
     * released, even if the connection fails.
     */
    readonly open: (key: Customer, channel: LiveChannel) => Effect.Effect<Ticket, TooManyConnections | Refused>
    readonly hasRoomFor: (key: Customer) => boolean
    /** Keys with open streams. */
    readonly keys: () => ReadonlyArray<ApiKeyId>
    readonly ofKey: (keyId: ApiKeyId) => Iterable<Ticket>
    /** Stops charging and closes the billing sessions of all open streams. */
    readonly drain: () => void
    /** Sequence number of the newest ticket. */
    readonly lastNumber: () => number
  }
>()("@matchpoint/service-gateway/stream/OpenStreams") {
  static readonly layer = Layer.effect(
    OpenStreams,
    Effect.gen(function* () {
      const meter = yield* StreamMeter
      const byKey = new Map<ApiKeyId, StreamsOfKey>()
      let lastNumber = 0

      const hasRoomFor = ({ keyId, plan }: Customer) => (byKey.get(keyId)?.connections ?? 0) < planTerms[plan].connections

      const release = (ticket: Ticket): void => {
        const { channel, key, session } = ticket
        if (session !== undefined) meter.close(session)
        const streams = byKey.get(key.keyId)
        if (streams === undefined || !streams.tickets.delete(ticket)) return
        if (channel.isConnection) streams.connections -= 1
        if (streams.tickets.size === 0) byKey.delete(key.keyId)
      }

      const enter = (key: Customer, channel: LiveChannel): Ticket => {
        const streams = byKey.get(key.keyId) ?? { connections: 0, tickets: new Set() }
        byKey.set(key.keyId, streams)
        lastNumber += 1
        const ticket = new Ticket(lastNumber, key, channel, release)
        streams.tickets.add(ticket)
        if (channel.isConnection) streams.connections += 1
        return ticket
      }

      return OpenStreams.of({
        hasRoomFor,
        open: (key, channel) =>
          Effect.suspend((): Effect.Effect<Ticket, TooManyConnections | Refused> => {
            if (channel.isConnection && !hasRoomFor(key)) return Effect.fail(TooManyConnections.of(key.plan))
            const ticket = enter(key, channel)
            if (channel.billedAs === undefined) return Effect.succeed(ticket)
            return meter.open(key, channel.billedAs).pipe(
              Effect.map((session) => ticket.billedOn(session)),
              Effect.onExit((exit) => (Exit.isFailure(exit) ? Effect.sync(() => ticket.release()) : Effect.void)),
            )
          }),
        keys: () => [...byKey.keys()],
        ofKey: (keyId) => byKey.get(keyId)?.tickets ?? [],
        lastNumber: () => lastNumber,
        drain: () => {
          meter.drain()
          for (const { tickets } of byKey.values()) {
            for (const { session } of tickets) if (session !== undefined) meter.close(session)
          }
        },
      })
    }),
  )
}

interface StreamsOfKey {
  connections: number
  readonly tickets: Set<Ticket>
}

/** Represents one open stream that counts towards the limits of its key. */
export class Ticket implements SessionOwner {
  /** Sequence number of the ticket. Tickets are numbered from 1 in the order in which they are opened. */
  readonly number: number
  /** The customer as of the time when the stream was opened. */
  readonly key: Customer
  readonly channel: LiveChannel
  /** Transport of the stream. Set by the transport once the stream is open. */
  holder: StreamTransport | undefined
  #session: StreamSession | undefined
  readonly #release: (ticket: Ticket) => void

  constructor(number: number, key: Customer, channel: LiveChannel, release: (ticket: Ticket) => void) {
    this.number = number
    this.key = key
    this.channel = channel
    this.#release = release
  }

  get session(): StreamSession | undefined {
    return this.#session
  }

  billedOn(session: StreamSession): this {
    this.#session = session
    session.holder = this
    return this
  }

  /** Ends the stream because metering cannot charge for it any longer. Called by metering. */
  refused(error: Refused): void {
    this.end(endingOf(error))
  }

  end(ending: StreamEnd): void {
    this.holder?.end(ending)
  }

  /** Stops counting and billing the stream. Must be called when the stream has ended. May be called more than once. */
  release(): void {
    this.#release(this)
  }
}
