// Owns the measured server: `node server.ts <options as JSON>`. The REST API of the gateway as it runs in production,
// with keys, usage and the archive in the given database. Reports its port and samples of the database to its parent,
// then its counters, or the statements behind addresses, on request.

import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { SlimServer } from "@matchpoint/game/edge/slimContext"
// As `npm start` does.
import { routing } from "@matchpoint/process/http/literalPaths"
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import type { PgClient } from "@effect/sql-pg"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { StatsRefresh } from "@matchpoint/cs2/archive/stats/StatsRefresh"
import { termsOf } from "@matchpoint/domain/accounts"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { MeteringConfig } from "@matchpoint/metering/MeteringConfig"
import { GatewayRoutes, GatewayServices } from "@matchpoint/service-gateway/Gateway"
import { StoredLedger } from "@matchpoint/service-gateway/metering/StoredLedger"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Deferred, Effect, Layer, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { CurrentTransformer } from "effect/sql/Statement"
import { sessionsCpuUs } from "./databaseCpu.ts"
import type { Counters, Listening, ServerOptions, ServerQuestion } from "./orders.ts"
import { Recorder } from "./Recorder.ts"
import { takeSamples } from "./samples.ts"

const options: ServerOptions = JSON.parse(process.argv[2] ?? "")
const recorder = new Recorder()

const Database =
  options.databaseUrl === null
    ? Embedded.layer({ directory: options.directory })
    : Postgres.layer({ url: Redacted.make(options.databaseUrl), maxConnections: options.maxConnections })

const Store = StatsRefresh.layer.pipe(Layer.provideMerge(Repositories.layer), Layer.provide(Migrations.layer), Layer.provideMerge(Database))

const Settings = Layer.merge(
  Layer.effect(
    MeteringConfig,
    Effect.map(MeteringConfig, (defaults) => ({ ...defaults, enabled: options.metering })),
  ),
  Layer.effect(
    GatewayConfig,
    Effect.map(GatewayConfig, (defaults) => (options.kept ? defaults : { ...defaults, answersKeptSeconds: 0 })),
  ),
)

/**
 * A key with access to everything and limits that do not slow the run. It is revoked when the server stops, because the
 * database may be a real one.
 */
const temporaryKey = Effect.acquireRelease(
  Effect.gen(function* () {
    const terms = termsOf("enterprise", { requestsPerMonth: 1_000_000_000, requestsPerSecond: 100_000 })
    const { accountId } = yield* (yield* Accounts).create("npm run bench -- api", terms)
    return yield* (yield* KeyRegister).create(accountId, "npm run bench -- api")
  }),
  ({ key }) => Effect.flatMap(KeyRegister, (register) => Effect.orDie(register.revoke(key.keyId))),
)

const Ready = Layer.effectDiscard(
  Effect.gen(function* () {
    const { address } = yield* UwsServer
    const { secret } = yield* temporaryKey
    const run = Effect.runPromiseWith(yield* Effect.context<PgClient.PgClient>())
    const answer = async (question: ServerQuestion) => {
      if (question.ask === "counters") {
        const { system, user } = process.cpuUsage()
        const counters: Counters = { cpuUs: user + system, databaseCpuUs: options.databaseUrl === null ? null : await run(sessionsCpuUs) }
        process.send?.(counters)
      } else process.send?.(await recorder.statementsOf(question.paths, address.port, Redacted.value(secret)))
    }
    process.on("message", (question: ServerQuestion) => void answer(question))
    const listening: Listening = { port: address.port, secret: Redacted.value(secret), samples: yield* takeSamples(options.seed) }
    process.send?.(listening)
  }),
)

const Server = Layer.merge(HttpRouter.serve(GatewayRoutes, routing), Ready).pipe(
  Layer.provide(SlimServer.pipe(Layer.provide(UwsHttpServer.layer()))),
  Layer.provide(GatewayServices),
  Layer.provide(UwsServer.layer({ port: 0, host: "127.0.0.1" })),
  Layer.provide(StoredLedger),
  Layer.provide(Settings),
  Layer.provide(RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))),
  Layer.provide(Store),
  Layer.provide(EventLogMemory.layer({ streams })),
  Layer.provide(NodeHttpServer.layerHttpServices),
)

/** Completed when the parent disconnects. The key is then revoked and the profile written. */
const dismissed = Deferred.makeUnsafe<void>()
process.on("disconnect", () => Deferred.doneUnsafe(dismissed, Effect.void))

Effect.scoped(Effect.andThen(Layer.build(Server), Deferred.await(dismissed))).pipe(
  Effect.provideService(CurrentTransformer, options.records ? recorder.transformer : undefined),
  NodeRuntime.runMain,
)
