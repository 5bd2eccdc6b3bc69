/**
 * Open streams of this gateway, by API key. Counts them towards the limits of the key, bills and ends them. Does not
 * depend on the transport (see `Ticket.holder`).
 */
import { TooManyConnections } from "@matchpoint/contracts/http/errors"
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import type { Place, Wanted } from "@matchpoint/metering/counts/KeyPlaces"
import { StreamLimits } from "@matchpoint/metering/counts/StreamLimits"
import type { Refused } from "@matchpoint/metering/Meter"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import type { SessionOwner, StreamSession } from "@matchpoint/metering/StreamSession"
import { Context, Effect, Exit, Layer } from "effect"
import type { LiveChannel } from "./channels.ts"
import { endingOf, type StreamEnd } from "./streamEnds.ts"

export interface StreamTransport {
  /** May be called more than once. */
  readonly end: (ending: StreamEnd) => void
}

export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /**
     * Counts a new stream and charges one request for connecting, unless it continues one that a gateway has ended. The
     * ticket must always be released, even if the connection fails.
     */
    readonly open: (key: Customer, channel: LiveChannel) => Effect.Effect<Ticket, TooManyConnections | Refused>
    /** False if the connections of the key at this gateway alone have reached the limit. */
    readonly hasRoomFor: (key: Customer) => boolean
    /** Keys with open streams. */
    readonly keys: () => ReadonlyArray<ApiKeyId>
    readonly ofKey: (keyId: ApiKeyId) => Iterable<Ticket>
    /**
     * Stops charging and closes the billing sessions of all streams. Their clients may open them at another gateway for
     * free.
     */
    readonly drain: () => void
    /** Number of the newest ticket. */
    readonly lastNumber: () => number
  }
>()("@matchpoint/service-gateway/stream/OpenStreams") {
  static readonly layer = Layer.effect(
    OpenStreams,
    Effect.gen(function* () {
      const meter = yield* StreamMeter
      const limits = yield* StreamLimits
      const byKey = new Map<ApiKeyId, Set<Ticket>>()
      let lastNumber = 0

      const host: TicketHost = {
        release: (ticket) => {
          const { key, place, session } = ticket
          if (session !== undefined) meter.close(session)
          place.release()
          const tickets = byKey.get(key.keyId)
          tickets?.delete(ticket)
          if (tickets?.size === 0) byKey.delete(key.keyId)
        },
        credit: ({ session }) => {
          if (session !== undefined) meter.credit(session)
        },
      }

      const enter = (key: Customer, channel: LiveChannel, place: Place): Ticket => {
        const tickets = byKey.get(key.keyId) ?? new Set()
        byKey.set(key.keyId, tickets)
        lastNumber += 1
        const ticket = new Ticket(lastNumber, key, channel, place, host)
        tickets.add(ticket)
        return ticket
      }

      return OpenStreams.of({
        hasRoomFor: (key) => limits.hasRoomFor(key, oneConnection),
        open: (key, channel) =>
          Effect.uninterruptibleMask((restore) =>
            restore(limits.take(key, wantedBy(channel))).pipe(
              Effect.mapError(() => TooManyConnections.of(key.plan)),
              Effect.flatMap((place): Effect.Effect<Ticket, Refused> => {
                const ticket = enter(key, channel, place)
                if (channel.billedAs === undefined) return Effect.succeed(ticket)
                return restore(meter.open(key, channel.billedAs, place.isFree)).pipe(
                  Effect.map((session) => ticket.billedOn(session)),
                  Effect.onExit((exit) => (Exit.isFailure(exit) ? Effect.sync(() => ticket.release()) : Effect.void)),
                )
              }),
            ),
          ),
        keys: () => [...byKey.keys()],
        ofKey: (keyId) => byKey.get(keyId) ?? [],
        lastNumber: () => lastNumber,
        drain: () => {
          limits.drain()
          meter.drain()
          for (const tickets of byKey.values()) {
            for (const { session } of tickets) if (session !== undefined) meter.close(session)
          }
        },
      })
    }),
  )
}

const oneConnection: Wanted = { connection: true, stream: false, replay: false }

const wantedBy = ({ billedAs, isConnection }: LiveChannel): Wanted => ({
  connection: isConnection,
  stream: billedAs !== undefined,
  replay: false,
})

/** The part of the registry that tickets use. */
interface TicketHost {
  readonly release: (ticket: Ticket) => void
  readonly credit: (ticket: Ticket) => void
}

/** One open stream that counts towards the limits of its key. */
export class Ticket implements SessionOwner {
  /** From 1, in the order in which tickets are opened. */
  readonly number: number
  /** As of the opening of the stream. */
  readonly key: Customer
  readonly channel: LiveChannel
  /** Set by the transport once the stream is open. */
  holder: StreamTransport | undefined
  readonly place: Place
  #session: StreamSession | undefined
  readonly #host: TicketHost

  constructor(number: number, key: Customer, channel: LiveChannel, place: Place, host: TicketHost) {
    this.number = number
    this.key = key
    this.channel = channel
    this.place = place
    this.#host = host
    place.onCredit = this
  }

  get session(): StreamSession | undefined {
    return this.#session
  }

  billedOn(session: StreamSession): this {
    this.#session = session
    session.holder = this
    return this
  }

  /** Called by metering if it cannot charge for the stream any longer. */
  refused(error: Refused): void {
    this.end(endingOf(error))
  }

  /** Called if it turns out later that connecting was free. */
  credit(): void {
    this.#host.credit(this)
  }

  end(ending: StreamEnd): void {
    this.holder?.end(ending)
  }

  /** Must be called when the stream has ended. May be called more than once. */
  release(): void {
    this.#host.release(this)
  }
}
