// Owns the measured process: `node server.ts <options as JSON>`. The REST API of the gateway as it runs in production:
// keys and accounts in a real database, one live match in its log. Reports its port to its parent, then its counters on
// request.

import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { SlimServer } from "@matchpoint/game/edge/slimContext"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { routing } from "@matchpoint/process/http/literalPaths"
import { GatewayRoutes, GatewayServices } from "@matchpoint/service-gateway/Gateway"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { createDatabase } from "@matchpoint/testing/createDatabase"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Deferred, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { crowd } from "./crowd.ts"
import { CountedLedger, ledgerOf, settingsOf } from "./ledgers.ts"
import type { Counters, Listening, ServerOptions } from "./orders.ts"

const options: ServerOptions = JSON.parse(process.argv[2] ?? "")
const countedLedger = new CountedLedger()

/** Number of frames of the match. Its document has its usual size by then. */
const FRAMES = 300
const followed = matchId(1)

const Database =
  options.database === "pglite"
    ? Embedded.layer({ directory: null })
    : Layer.unwrap(Effect.map(createDatabase(options.postgresUrl, null), (url) => Postgres.layer({ url })))

const Store = Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provide(Database))

const Settings = Layer.effect(
  GatewayConfig,
  Effect.map(GatewayConfig, (defaults) => ({ ...defaults, behindProxy: true })),
)

const LiveMatch = Layer.effectDiscard(
  Effect.gen(function* () {
    const log = yield* EventLog
    yield* Effect.forEach(liveRecords(1, followed, FRAMES), ({ data, id, subject }) => log.append(subject, id, data), { discard: true })
  }),
).pipe(Layer.provideMerge(EventLogMemory.layer({ streams })))

const Shared = Layer.mergeAll(Store, LiveMatch, NodeHttpServer.layerHttpServices)

const Serving = HttpRouter.serve(GatewayRoutes, routing).pipe(
  Layer.provide(SlimServer.pipe(Layer.provide(UwsHttpServer.layer()))),
  Layer.provide(GatewayServices),
  Layer.provideMerge(UwsServer.layer({ port: 0, host: "127.0.0.1" })),
  Layer.provide(countedLedger.layer.pipe(Layer.provide(ledgerOf(options.metering, options.crowd === "exact")))),
  Layer.provide(settingsOf(options.metering)),
  Layer.provide(Settings),
  Layer.provide(RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))),
)

const serving = Effect.gen(function* () {
  const { address } = yield* UwsServer
  const secrets = yield* crowd(options.crowd)
  process.on("message", () => {
    const { system, user } = process.cpuUsage()
    const counters: Counters = { cpuUs: user + system, settles: countedLedger.settles }
    process.send?.(counters)
  })
  const listening: Listening = { port: address.port, path: `${API_ROOT}/cs2/live/${followed}/state`, secrets }
  process.send?.(listening)
})

/** Completed when the parent disconnects. The database is then dropped and the profile written. */
const dismissed = Deferred.makeUnsafe<void>()
process.on("disconnect", () => Deferred.doneUnsafe(dismissed, Effect.void))

Effect.andThen(serving, Deferred.await(dismissed)).pipe(Effect.provide(Serving.pipe(Layer.provideMerge(Shared))), NodeRuntime.runMain)
