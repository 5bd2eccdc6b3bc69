/**
 * Live matches as a process of their own: actors, archivers and upkeep, on PostgreSQL and NATS. It accepts no requests
 * except those of operators.
 */
import { NodeHttpServer } from "@effect/platform-node"
import { Rejections } from "@matchpoint/bus/Rejections"
import { databaseCheck } from "@matchpoint/process/health/databaseCheck"
import { Health } from "@matchpoint/process/health/Health"
import { logChecks } from "@matchpoint/process/health/logChecks"
import { logOutput } from "@matchpoint/process/logging/LogOutput"
import { plainOperatorListener } from "@matchpoint/process/OperatorListener"
import { natsLog } from "@matchpoint/process/servers/natsLog"
import { postgresStore } from "@matchpoint/process/servers/postgresStore"
import { adminParsers, databaseParsers, logParsers, natsParsers } from "@matchpoint/process/settings/parsers"
import { readSettings, type SettingValues } from "@matchpoint/process/settings/readSettings"
import { Context, Effect, Layer } from "effect"
import { Matches, Upkeep } from "./Matches.ts"

const parsers = { ...adminParsers, ...databaseParsers, ...natsParsers, ...logParsers }

class MatchProcessConfig extends Context.Service<MatchProcessConfig, SettingValues<typeof parsers>>()(
  "@matchpoint/service-match/MatchProcess/MatchProcessConfig",
) {
  static readonly layer = Layer.effect(MatchProcessConfig, readSettings(parsers))
}

const checks = Effect.gen(function* () {
  const { bus, log } = yield* logChecks
  return [log, yield* databaseCheck, bus]
})

const Operators = Layer.unwrap(
  Effect.map(MatchProcessConfig, ({ adminHost, adminPort }) => plainOperatorListener({ host: adminHost, port: adminPort })),
).pipe(Layer.provide(Health.layer(checks)))

const Store = Layer.unwrap(Effect.map(MatchProcessConfig, postgresStore))
const Log = Rejections.layer.pipe(Layer.provideMerge(Layer.unwrap(Effect.map(MatchProcessConfig, natsLog))))
const Logging = Layer.unwrap(Effect.map(MatchProcessConfig, logOutput))

/** Runs matches until its scope closes. Then, matches save their checkpoints. */
export const MatchProcess = Layer.mergeAll(Matches, Upkeep, Operators).pipe(
  Layer.provide([Log, Store]),
  Layer.provide(NodeHttpServer.layerHttpServices),
  Layer.provide(Logging),
  Layer.provide(MatchProcessConfig.layer),
)
