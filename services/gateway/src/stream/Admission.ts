/**
 * Decides whether a client may open a live channel. Order of the checks: handshake rate of the address, API key,
 * channels and connections that the plan allows, the request itself, monthly quota. Connecting is charged only after
 * all have passed. The plan's connection limit applies to all live channels together.
 */
import {
  type GameNotIncluded,
  type InvalidApiKey,
  type PlanRequired,
  type ServiceUnavailable,
  TooManyConnections,
  TooManyHandshakes,
} from "@matchpoint/contracts/http/errors"
import type { ErrorEnvelope } from "@matchpoint/contracts/http/problem"
import type { Customer } from "@matchpoint/domain/accounts"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { entitlementError } from "@matchpoint/metering/entitlements"
import type { Refused } from "@matchpoint/metering/Meter"
import { limitedAddress } from "@matchpoint/process/http/clientAddress"
import { REQUEST_ID_HEADER, requestIdOf } from "@matchpoint/process/http/requestId"
import type { Accept, ConnectDecision } from "@matchpoint/uws/ConnectDecision"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { Clock, Context, Deferred, Effect, Exit, Layer, type Redacted, type Scope } from "effect"
import { makeAddressBuckets } from "../http/AddressBuckets.ts"
import { Authenticator } from "../keys/Authenticator.ts"
import type { LiveChannel } from "./channels.ts"
import { refusal, secretOf } from "./handshake.ts"
import { OpenStreams, type Ticket } from "./OpenStreams.ts"
import type { StreamEnd } from "./streamEnds.ts"

/** Handshakes of one address in a burst, as seconds of the allowed rate. */
const BURST_SECONDS = 20

export interface ClientAddress {
  readonly headers: { readonly [name: string]: string | undefined }
  readonly remoteAddress: string | undefined
}

export type NotAdmitted = InvalidApiKey | TooManyHandshakes | NotOpened
export type NotOpened = PlanRequired | GameNotIncluded | TooManyConnections | Refused | ServiceUnavailable

export interface HeldSlots {
  /** Waits until the stream must end, then fails with the reason. */
  readonly ended: Effect.Effect<never, StreamEnd>
}

/** Called after all checks have passed, with the ticket of the new stream. */
export type Opening<Data> = (ticket: Ticket) => Accept<Data>

export class Admission extends Context.Service<
  Admission,
  {
    /** `read` validates the rest of the request; its error is the response to the client. */
    readonly handshake: <Data>(
      request: UpgradeRequest,
      channel: LiveChannel,
      read: (key: Customer) => Effect.Effect<Opening<Data>, ErrorEnvelope>,
    ) => Effect.Effect<ConnectDecision<Data>>
    /** Fails if there were too many handshakes from the client's address. */
    readonly countHandshake: (from: ClientAddress) => Effect.Effect<void, TooManyHandshakes>
    /** Failed attempts count against the client's address. */
    readonly identify: (
      from: ClientAddress,
      secret: Redacted.Redacted<string>,
    ) => Effect.Effect<Customer, InvalidApiKey | ServiceUnavailable | TooManyHandshakes>
    /** The stream counts towards the limits of the API key until the scope closes. */
    readonly hold: (key: Customer, channel: LiveChannel) => Effect.Effect<HeldSlots, NotOpened, Scope.Scope>
  }
>()("@matchpoint/service-gateway/stream/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const authenticator = yield* Authenticator
      const streams = yield* OpenStreams
      const settings = yield* GatewayConfig
      const { handshakesPerSecond } = settings
      const monotonic = monotonicOf(yield* Clock.Clock)
      const addresses = yield* makeAddressBuckets({
        name: "handshakes",
        perSecond: handshakesPerSecond,
        burst: handshakesPerSecond * BURST_SECONDS,
        now: monotonic,
      })

      const addressOf = ({ headers, remoteAddress }: ClientAddress): string => limitedAddress(headers, remoteAddress, settings)

      const countHandshake = Effect.fnUntraced(function* (from: ClientAddress) {
        if (!addresses.take(addressOf(from))) return yield* TooManyHandshakes.from(handshakesPerSecond)
      })

      const identify = (from: ClientAddress, secret: Redacted.Redacted<string>) => authenticator.authenticate(secret, () => addressOf(from))

      const admit = Effect.fnUntraced(function* <Data>(
        request: UpgradeRequest,
        channel: LiveChannel,
        read: (key: Customer) => Effect.Effect<Opening<Data>, ErrorEnvelope>,
        entered: (ticket: Ticket) => void,
      ) {
        yield* countHandshake(request)
        const key = yield* identify(request, secretOf(request))
        const refused = entitlementError(key, channel)
        if (refused !== undefined) return yield* refused
        if (!streams.hasRoomFor(key)) return yield* TooManyConnections.of(key.plan)
        const opening = yield* read(key)
        const ticket = yield* streams.open(key, channel)
        entered(ticket)
        const accepted = opening(ticket)
        return { ...accepted, headers: { ...accepted.headers, [REQUEST_ID_HEADER]: requestIdOf(request.headers) } }
      })

      return Admission.of({
        countHandshake,
        identify,
        handshake: (request, channel, read) =>
          Effect.suspend(() => {
            let given: Ticket | undefined
            return admit(request, channel, read, (ticket) => {
              given = ticket
            }).pipe(
              // Releases the ticket if the client disconnects during the handshake: the connection's handler, which
              // normally does, does not exist yet.
              Effect.onExit((exit) => (Exit.isFailure(exit) ? Effect.sync(() => given?.release()) : Effect.void)),
              Effect.catch((error) => Effect.succeed(refusal(error, request.headers))),
            )
          }),
        hold: Effect.fnUntraced(function* (key, channel) {
          const refused = entitlementError(key, channel)
          if (refused !== undefined) return yield* refused
          const ended = Deferred.makeUnsafe<never, StreamEnd>()
          const ticket = yield* Effect.acquireRelease(streams.open(key, channel), (open) => Effect.sync(() => open.release()))
          ticket.holder = { end: (ending) => Deferred.doneUnsafe(ended, Effect.fail(ending)) }
          return { ended: Deferred.await(ended) }
        }),
      })
    }),
  )
}
