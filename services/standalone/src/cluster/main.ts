/**
 * `npm run cluster` runs each service as processes of its own on this machine, against a PostgreSQL and a NATS server.
 * Exit codes: 1 if a setting is missing, 130 after Ctrl-C.
 */
import { fileURLToPath } from "node:url"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { adminSettings, databaseSettings, natsSettings, tokenSettings, webhookSettings } from "@matchpoint/process/settings/catalog"
import { readSettings } from "@matchpoint/process/settings/readSettings"
import { explainingFailure } from "@matchpoint/process/startFailure"
import { type Child, superviseChild } from "@matchpoint/process/supervision/superviseChild"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { type ClusterSize, clusterPlan, liveUrl, MAX_FIRST_PORT, MAX_PROCESSES, planLines } from "./clusterPlan.ts"

const count = (name: string, usual: number, description: string) =>
  Flag.Int(name).pipe(
    Flag.withDescription(`${description}; default ${usual}`),
    Flag.withDefault(usual),
    Flag.filter(
      (value) => value >= 0 && value <= MAX_PROCESSES,
      () => `an integer from 0 to ${MAX_PROCESSES}`,
    ),
  )

const flags = {
  match: count("match", 2, "Processes that run matches"),
  gateways: count("gateways", 2, "Gateways"),
  feeds: count("feeds", 1, "Processes that accept facts"),
  webhooks: count("webhooks", 1, "Webhook workers"),
  port: Flag.Int("port").pipe(
    Flag.withDescription("Port of the first gateway, from which all others are counted up; default 8080"),
    Flag.withDefault(8080),
    Flag.filter(
      (value) => value >= 1 && value <= MAX_FIRST_PORT,
      () => `an integer from 1 to ${MAX_FIRST_PORT}`,
    ),
  ),
}

/** All problems at once, instead of letting each process fail on its own. */
const checkSettings = ({ feeds, webhooks }: ClusterSize) =>
  readSettings({
    adminHost: adminSettings.adminHost,
    ...databaseSettings,
    ...natsSettings,
    ...(feeds === 0 ? {} : { feedToken: tokenSettings.feedToken }),
    ...(webhooks === 0 ? {} : { webhookKeys: webhookSettings.webhookKeys }),
  })

const scripts = {
  feed: new URL("../../../feed/src/main.ts", import.meta.url),
  gateway: new URL("../../../gateway/src/main.ts", import.meta.url),
  match: new URL("../../../match/src/main.ts", import.meta.url),
  webhooks: new URL("../../../webhooks/src/main.ts", import.meta.url),
}

const print = ({ name }: Child, line: string) => Console.log(`${name.padEnd(12)}| ${line}`)

const runCluster = Effect.fnUntraced(function* (size: ClusterSize) {
  const { adminHost } = yield* checkSettings(size)
  const plan = clusterPlan(size)
  yield* Console.log(["", "  Matchpoint starts these processes. Press Ctrl-C to stop all of them.", "", ...planLines(plan), ""].join("\n"))
  const children = plan.map(({ env, name, service }) => ({
    name,
    script: fileURLToPath(scripts[service]),
    env,
    liveness: { url: liveUrl(adminHost, env) },
  }))
  return yield* Effect.forEach(children, (child) => superviseChild(child, { print }), { concurrency: "unbounded", discard: true })
})

const run = (size: ClusterSize) => explainingFailure(runCluster(size))

const cluster = Command.make("cluster", flags, run).pipe(
  Command.withDescription(
    "Runs the services as processes of their own on this machine. Requires DATABASE_URL, NATS_URL, MATCHPOINT_FEED_TOKEN and MATCHPOINT_WEBHOOK_KEY; docs/operators/settings.md lists all settings.",
  ),
)

cluster.pipe(Command.run({ version: "0.1.0" }), Effect.provide(NodeServices.layer), NodeRuntime.runMain({ disableErrorReporting: true }))
