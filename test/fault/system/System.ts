/**
 * The system under test: PostgreSQL, NATS, Redis and the processes of Matchpoint, on free loopback ports and in a
 * temporary folder. Everything ends with the scope.
 */
import { freePorts } from "@matchpoint/testing/freePorts"
import { Effect, type Scope } from "effect"
import { Link } from "../network/Link.ts"
import { projectRoot } from "./executables.ts"
import { type MatchpointNode, type NodePlan, type Role, startedNode } from "./MatchpointNode.ts"
import { natsUrl, type RunningNats, startNats } from "./nats.ts"
import { otherVersion } from "./otherVersion.ts"
import { databaseUrl, type RunningPostgres, startPostgres } from "./postgres.ts"
import { type RunningRedis, startRedis } from "./redis.ts"
import type { Workspace } from "./Workspace.ts"

/** The links of the system that get a proxy, so that a scenario can cut or slow them. Others are direct. */
export type LinkedPart = "nats" | "database" | "clients"

export interface Topology {
  readonly nodes: ReadonlyArray<NodePlan>
  readonly natsServers: 1 | 3
  readonly links: ReadonlyArray<LinkedPart>
  /** Puts the streams of NATS on a small file system, which a scenario can fill. */
  readonly smallNatsDisk?: boolean
}

export interface System {
  readonly workspace: Workspace
  readonly postgres: RunningPostgres
  readonly nats: RunningNats
  readonly redis: RunningRedis | undefined
  readonly nodes: ReadonlyArray<MatchpointNode>
  readonly of: (role: Role) => ReadonlyArray<MatchpointNode>
  /** Adds a process to the running system and waits until it is ready. */
  readonly join: (plan: NodePlan) => Effect.Effect<MatchpointNode, Error, Scope.Scope>
}

/** Two match processes, two gateways, one feed intake and one webhook worker. */
export const usualNodes: ReadonlyArray<NodePlan> = [
  { name: "match-1", role: "match" },
  { name: "match-2", role: "match" },
  { name: "gateway-1", role: "gateway" },
  { name: "gateway-2", role: "gateway" },
  { name: "feed-1", role: "feed" },
  { name: "webhooks-1", role: "webhooks" },
]

export const usualTopology: Topology = { nodes: usualNodes, natsServers: 1, links: [] }

export interface SystemOptions {
  /** File with the certificate of the webhook receiver. */
  readonly certificate: string
  /** Commit of the other version of the project, for scenarios that run two. */
  readonly otherCommit: string
}

export const startSystem = Effect.fnUntraced(function* (workspace: Workspace, topology: Topology, options: SystemOptions) {
  const otherProject = topology.nodes.some(({ isOtherVersion }) => isOtherVersion === true)
    ? yield* otherVersion(workspace, options.otherCommit)
    : projectRoot
  const [postgresPort = 0, redisPort = 0] = yield* freePorts(2)
  const [postgres, nats, redis] = yield* Effect.all(
    [startPostgres(workspace, postgresPort), startNats(workspace, topology), startRedis(workspace, redisPort)],
    { concurrency: "unbounded" },
  )
  const nodes: Array<MatchpointNode> = []

  const add = Effect.fnUntraced(function* (plan: NodePlan) {
    const [port = 0, adminPort = 0, clusterPort = 0] = yield* freePorts(3)
    const natsLinks = topology.links.includes("nats")
      ? yield* Effect.forEach(nats.nodes, (server) => Link.open(`${plan.name} to ${server.name}`, server.port))
      : []
    const databaseLinks = topology.links.includes("database") ? [yield* Link.open(`${plan.name} to postgres`, postgres.port)] : []
    const clientLinks =
      topology.links.includes("clients") && plan.role === "gateway" ? [yield* Link.open(`clients to ${plan.name}`, port)] : []
    const node = yield* startedNode(
      workspace,
      plan,
      {
        port,
        adminPort,
        clusterPort,
        natsServers: topology.natsServers,
        certificate: options.certificate,
        project: plan.isOtherVersion === true ? otherProject : projectRoot,
        databaseUrl: databaseUrl(databaseLinks[0]?.port ?? postgres.port),
        natsUrl: natsUrl(natsLinks.length > 0 ? natsLinks.map((link) => link.port) : nats.nodes.map((server) => server.port)),
        redisUrl: redis === undefined ? undefined : `redis://127.0.0.1:${redis.port}`,
      },
      { natsLinks, databaseLinks, clientLinks },
    )
    nodes.push(node)
    return node
  })

  const described = yield* Effect.forEach(topology.nodes, (plan) => Effect.map(add(plan), (node) => ({ plan, node })))
  const starting = described.flatMap(({ node, plan }) => (plan.startsLater === true ? [] : [node]))
  // The first process runs the migrations and creates the streams. The others would only wait for it.
  const [first, ...others] = starting
  if (first !== undefined) yield* first.program.start
  yield* Effect.forEach(others, ({ program }) => program.start, { concurrency: 2, discard: true })

  return {
    workspace,
    postgres,
    nats,
    redis,
    get nodes() {
      return nodes
    },
    of: (role) => nodes.filter((node) => node.role === role),
    join: (plan) => Effect.tap(add(plan), ({ program }) => program.start),
  } satisfies System
})
