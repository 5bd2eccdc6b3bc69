// Owns our own server under measurement: the gateway's hub and live channels as they run in production, with every
// check of a handshake, fed from a log in memory, and with streams billed. Replaced or left out: the key store, which
// has one key, the ledger, which grants everything and stores nothing, and the limit per address, because all clients
// share one address.
import type { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { InvalidApiKey } from "@matchpoint/contracts/http/errors"
import { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import type { Plan } from "@matchpoint/domain/plans"
import { GatewayConfig, type GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import { StreamLimits } from "@matchpoint/metering/counts/StreamLimits"
import { Ledger } from "@matchpoint/metering/Ledger"
import { Meter } from "@matchpoint/metering/Meter"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { GatewayStreams, servedGamesLayer } from "@matchpoint/service-gateway/Gateway"
import { Authenticator } from "@matchpoint/service-gateway/keys/Authenticator"
import { LiveHubLayer } from "@matchpoint/service-gateway/live/LiveHubLayer"
import { Admission } from "@matchpoint/service-gateway/stream/Admission"
import { KeyWatch } from "@matchpoint/service-gateway/stream/KeyWatch"
import { OpenStreams } from "@matchpoint/service-gateway/stream/OpenStreams"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Clock, Effect, Layer, Redacted } from "effect"
import { generousTerms } from "../../fixtures/metering/metering.ts"
import { apiKey } from "./apiKey.ts"

const customerOf = (plan: Plan) => ({
  keyId: ApiKeyId.make("00000000-0000-4000-8000-000000000001"),
  accountId: AccountId.make("00000000-0000-4000-8000-000000000002"),
  ...generousTerms(plan),
})

type Key = ReturnType<typeof customerOf>

const oneKey = (key: Key) =>
  Layer.succeed(Authenticator)({
    authenticate: (secret) => (Redacted.value(secret) === apiKey ? Effect.succeed(key) : InvalidApiKey.because("the API key is unknown")),
    confirm: () => {},
    forget: () => {},
  })

const oneStoredKey = (key: Key) =>
  Layer.succeed(ApiKeys)({
    verify: () => Effect.succeedSome(key),
    current: () => Effect.succeed([key]),
  })

/**
 * A ledger that grants every request and stores nothing, because storing the receipts of ten thousand sockets would
 * measure a database.
 */
const ledgerWithoutStorage = (key: Key) =>
  Layer.succeed(Ledger)({
    settle: (leases) =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        now,
        leases: leases.map(({ leaseId, want }) => ({ leaseId, granted: want, quota: key.requestsPerMonth, left: key.requestsPerMonth })),
      })),
  })

const settingsWith = (settings: Partial<GatewaySettings>) =>
  Layer.effect(
    GatewayConfig,
    Effect.map(GatewayConfig, (defaults) => ({ ...defaults, handshakesPerSecond: 1e6, ...settings })),
  )

/** `port` 0: any free port. `plan`: plan of the one key. */
export const gatewayOn = (port: number, plan: Plan = "enterprise", settings: Partial<GatewaySettings> = {}) => {
  const key = customerOf(plan)
  return GatewayStreams.pipe(
    Layer.provideMerge(LiveHubLayer),
    Layer.provide(Layer.mergeAll(Admission.layer, KeyWatch.layer)),
    Layer.provide(servedGamesLayer),
    Layer.provide(OpenStreams.layer),
    Layer.provide(StreamLimits.layer),
    Layer.provide(StreamMeter.layer),
    Layer.provide(Meter.layer),
    Layer.provide(ledgerWithoutStorage(key)),
    Layer.provide([oneKey(key), oneStoredKey(key)]),
    Layer.provide(settingsWith(settings)),
    Layer.provideMerge(UwsServer.layer({ port, host: "127.0.0.1" })),
  )
}

/** A log in memory that is large enough for a measurement. */
export const MemoryLog: Layer.Layer<EventLog> = EventLogMemory.layer({ streams }).pipe(Layer.orDie)
