/** The admin API alone, on a free port with real sockets and the production ledger. Default: on an in-memory database. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ADMIN_TOKEN_HEADER, AdminApi } from "@matchpoint/contracts/http/admin/AdminApi"
import { StatsRefresh } from "@matchpoint/cs2/archive/stats/StatsRefresh"
import { TeamCorrections } from "@matchpoint/cs2/archive/teams/TeamCorrections"
import { Migrations } from "@matchpoint/games/Migrations"
import { Meter } from "@matchpoint/metering/Meter"
import { routing } from "@matchpoint/process/http/literalPaths"
import { Chores } from "@matchpoint/store/Chores"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import { AuditLog } from "@matchpoint/store/keys/AuditLog"
import { FeedTokens } from "@matchpoint/store/keys/FeedTokens"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Matches } from "@matchpoint/store/live/Matches"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { UsageLedger } from "@matchpoint/store/usage/UsageLedger"
import { PlayerMerges } from "@matchpoint/tennis/archive/merges/PlayerMerges"
import type { AnyDatabase } from "@matchpoint/testing/bothRuns"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { AdminConfig, type AdminSettings } from "../../src/admin/AdminConfig.ts"
import { AdminRoutes } from "../../src/admin/AdminRoutes.ts"
import { FallbackRoutes } from "../../src/http/pages/fallback.ts"
import { ResponseRules } from "../../src/http/responses/ResponseRules.ts"
import { StoredLedger } from "../../src/metering/StoredLedger.ts"

export const TOKEN = "token-of-the-admin-tests"

export class AdminServer extends Context.Service<
  AdminServer,
  {
    /** Base URL, including `/admin/v1`. */
    readonly url: string
    /** Client with the admin token. */
    readonly api: HttpApiClient.ForApi<typeof AdminApi>["admin"]
  }
>()("@matchpoint/service-gateway/test/admin/adminServer") {}

const repositories = Layer.mergeAll(
  ApiKeys.layer,
  AuditLog.layer,
  FeedTokens.layer,
  KeyRegister.layer,
  Matches.layer,
  ParkedMatches.layer,
  PlayerMerges.layer,
  TeamCorrections.layer,
  UsageLedger.layer,
).pipe(Layer.provide([Chores.layer, StatsRefresh.layer]), Layer.provideMerge(Accounts.layer), Layer.provideMerge(Migrations.layer))

const Client = Layer.effect(
  AdminServer,
  Effect.gen(function* () {
    const { address } = yield* UwsServer
    const baseUrl = `http://127.0.0.1:${address.port}`
    const api = yield* HttpApiClient.make(AdminApi, {
      baseUrl,
      transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader(ADMIN_TOKEN_HEADER, TOKEN)),
    })
    return AdminServer.of({ url: `${baseUrl}/admin/v1`, api: api.admin })
  }),
).pipe(Layer.provide(NodeHttpClient.layerUndici))

export const adminServer = (settings: Partial<AdminSettings> = {}, database: AnyDatabase = embeddedMemory) =>
  Layer.merge(
    Client,
    HttpRouter.serve(Layer.mergeAll(AdminRoutes, FallbackRoutes, ResponseRules), routing).pipe(Layer.provide(UwsHttpServer.layer())),
  ).pipe(
    Layer.provide(AdminConfig.layer({ token: Redacted.make(TOKEN), ...settings })),
    Layer.provide(UwsServer.layer({ port: 0, host: "127.0.0.1" })),
    Layer.provideMerge(Meter.layer),
    Layer.provide(StoredLedger),
    Layer.provideMerge(repositories.pipe(Layer.provideMerge(database))),
    Layer.provide(NodeHttpServer.layerHttpServices),
  )
