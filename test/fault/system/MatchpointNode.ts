/** One process of Matchpoint: its role, its settings, its addresses, and its links to NATS and PostgreSQL. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { bundled } from "../../../infra/bundle.mjs"
import { allocatorSettings, nodeFlags } from "../../../infra/nodeFlags.mjs"
import type { Link } from "../network/Link.ts"
import { clockLibrary, MissingProgram, projectRoot } from "./executables.ts"
import { answersOk, requestText } from "./http.ts"
import { Program } from "./Program.ts"
import type { Workspace } from "./Workspace.ts"

export const roles = ["match", "gateway", "feed", "webhooks"] as const
export type Role = (typeof roles)[number]

export const ADMIN_TOKEN = "fault-harness-admin-token"
export const FEED_TOKEN = "fault-harness-feed-token"
const WEBHOOK_KEY = "ZmF1bHQtaGFybmVzcy13ZWJob29rLWtleS0zMi1ieXQ="

/** A start on a busy machine with an empty database takes half a minute. */
const START_WITHIN_MS = 120_000

export interface NodePlan {
  readonly name: string
  readonly role: Role
  /** Seconds by which the wall clock of the process is ahead. Negative: behind. Default 0. */
  readonly clockShiftSeconds?: number
  /** Runs the other version of the project that the run was given. */
  readonly isOtherVersion?: boolean
  /** Arguments of Node, such as `--cpu-prof`. Default: none. */
  readonly nodeArguments?: ReadonlyArray<string>
  /** The scenario starts the process itself. Default: it starts with the system. */
  readonly startsLater?: boolean
}

export interface NodeAddresses {
  readonly port: number
  readonly adminPort: number
  readonly clusterPort: number
  readonly databaseUrl: string
  readonly natsUrl: string
  /** Each stream is stored on every server. */
  readonly natsServers: number
  /** Folder of the project that the process runs. */
  readonly project: string
  readonly redisUrl: string | undefined
  /** File with the certificate of the webhook receiver. */
  readonly certificate: string
}

export interface MatchpointNode {
  readonly name: string
  readonly role: Role
  readonly program: Program
  readonly port: number
  readonly adminPort: number
  /** Links of this process. Empty if it has direct connections. */
  readonly natsLinks: ReadonlyArray<Link>
  readonly databaseLinks: ReadonlyArray<Link>
  /** Link between the clients and a gateway. */
  readonly clientLinks: ReadonlyArray<Link>
}

/** Port at which the clients of a run reach a process. */
export const clientPort = ({ clientLinks, port }: MatchpointNode): number => clientLinks[0]?.port ?? port

export const startedNode = Effect.fnUntraced(function* (
  workspace: Workspace,
  plan: NodePlan,
  addresses: NodeAddresses,
  links: Pick<MatchpointNode, "clientLinks" | "databaseLinks" | "natsLinks">,
) {
  const { adminPort, port } = addresses
  const { name, nodeArguments = [], role } = plan
  const program = yield* Program.make({
    name,
    command: process.execPath,
    args: [...nodeFlags, ...nodeArguments, yield* Effect.promise(() => mainOf(role, addresses.project))],
    env: environmentOf(workspace, plan, addresses),
    directory: addresses.project,
    logFile: workspace.logFile(name),
    ready: answersOk(`http://127.0.0.1:${adminPort}/health/ready`),
    startWithinMs: START_WITHIN_MS,
  })
  const node: MatchpointNode = { name, role, program, port, adminPort, ...links }
  return node
})

/** Entry point of a role. Another version of the project runs from its sources. */
const mainOf = async (role: Role, project: string): Promise<string> => {
  const source = join("services", role, "src", "main.ts")
  return project === projectRoot ? bundled(source) : source
}

/** Settings that a version of the project does not know are left out, because an unknown setting ends a process at its start. */
const environmentOf = (workspace: Workspace, plan: NodePlan, addresses: NodeAddresses): Readonly<Record<string, string>> => {
  const known = readFileSync(join(addresses.project, "docs", "operators", "settings.md"), "utf8")
  const settings = Object.entries(settingsOf(workspace, plan, addresses))
  return Object.fromEntries(settings.filter(([name]) => !name.startsWith("MATCHPOINT_") || known.includes(`\`${name}\``)))
}

const settingsOf = (workspace: Workspace, { clockShiftSeconds = 0, name, role }: NodePlan, addresses: NodeAddresses) => ({
  ...allocatorSettings,
  PORT: String(addresses.port),
  HOST: "127.0.0.1",
  DATABASE_URL: addresses.databaseUrl,
  NATS_URL: addresses.natsUrl,
  MATCHPOINT_NATS_REPLICAS: String(addresses.natsServers),
  ...(addresses.redisUrl === undefined ? {} : { REDIS_URL: addresses.redisUrl }),
  MATCHPOINT_ADMIN_PORT: String(addresses.adminPort),
  MATCHPOINT_ADMIN_TOKEN: ADMIN_TOKEN,
  MATCHPOINT_FEED_TOKEN: FEED_TOKEN,
  MATCHPOINT_WEBHOOK_KEY: WEBHOOK_KEY,
  MATCHPOINT_WEBHOOK_NETWORKS: "loopback",
  MATCHPOINT_DATA_DIRECTORY: workspace.folder(join("data", name)),
  ...(role === "match" || role === "feed"
    ? { MATCHPOINT_CLUSTER_HOST: "127.0.0.1", MATCHPOINT_CLUSTER_PORT: String(addresses.clusterPort) }
    : {}),
  // Runs the scenarios with gateways that read what their clients follow.
  ...(process.env["MATCHPOINT_GATEWAY_READS"] === "followed" ? { MATCHPOINT_GATEWAY_READS: "followed" } : {}),
  // The receiver of webhooks has a certificate of its own.
  NODE_EXTRA_CA_CERTS: addresses.certificate,
  ...clockSettings(clockShiftSeconds),
})

/** Environment that shifts the wall clock of a process. Its timers keep their pace. */
export const clockSettings = (seconds: number): Readonly<Record<string, string>> => {
  if (seconds === 0) return {}
  const library = clockLibrary()
  if (library === undefined) throw new MissingProgram("libfaketime is not installed: install faketime (Debian: apt-get install faketime)")
  return { LD_PRELOAD: library, FAKETIME: `${seconds > 0 ? "+" : ""}${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: "1" }
}

/** Returns the value of a metric without labels, or undefined if the process does not report it. */
export const metricOf = ({ adminPort }: MatchpointNode, metric: string) =>
  Effect.map(requestText(`http://127.0.0.1:${adminPort}/metrics`), (text) => {
    const value = new RegExp(`^${metric}(?:\\{[^}]*\\})? ([0-9.e+-]+)$`, "m").exec(text)?.[1]
    return value === undefined ? undefined : Number(value)
  })

/** Number of matches that a process runs at the moment. */
export const matchesRunningOn = (node: MatchpointNode) => Effect.map(metricOf(node, "matchpoint_match_running"), (count) => count ?? 0)

/** Waits until a process reports to be ready. */
export const untilReady = ({ adminPort }: MatchpointNode, withinMs: number) =>
  answersOk(`http://127.0.0.1:${adminPort}/health/ready`).pipe(Effect.retry(Schedule.spaced("100 millis")), Effect.timeout(withinMs))
