/**
 * The open streams of this gateway, by key. Limits their number per key, bills them and ends them. Does not know the
 * transport of a stream; see `Ticket.holder`.
 */
import { TooManyConnections } from "@matchpoint/contracts/http/errors"
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import type { Refused } from "@matchpoint/metering/Meter"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import type { SessionHolder, StreamSession } from "@matchpoint/metering/StreamSession"
import { Context, Effect, Exit, Layer } from "effect"
import type { LiveChannel } from "./channels.ts"
import { type Ending, endingOf } from "./endings.ts"

/** The transport of a stream. */
export interface Holder {
  /** Tells the client the reason and ends the stream. Calling it repeatedly is safe. */
  readonly end: (ending: Ending) => void
}

export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /**
     * Counts a stream of the key and charges the connect. The ticket must be released in every case, even if the
     * connection fails.
     */
    readonly open: (key: Customer, channel: LiveChannel) => Effect.Effect<Ticket, TooManyConnections | Refused>
    readonly hasRoomFor: (key: Customer) => boolean
    /** Keys with open streams. */
    readonly keys: () => ReadonlyArray<ApiKeyId>
    readonly ofKey: (keyId: ApiKeyId) => Iterable<Ticket>
    /** Stops charging and closes the billing sessions of all open streams. */
    readonly drain: () => void
    /** Number of the newest ticket. */
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

/** One open, counted stream. */
export class Ticket implements SessionHolder {
  /** 1, 2, 3, ... in the order of opening. */
  readonly number: number
  /** The customer as of the time when the stream was opened. */
  readonly key: Customer
  readonly channel: LiveChannel
  /** Set by the transport once the stream is open. */
  holder: Holder | undefined
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

  /** Ends the stream. Metering calls this when it cannot charge any further. */
  refused(error: Refused): void {
    this.end(endingOf(error))
  }

  end(ending: Ending): void {
    this.holder?.end(ending)
  }

  /** Must be called when the stream has ended. Calling it repeatedly is safe. */
  release(): void {
    this.#release(this)
  }
}
