/** Which processes `npm run cluster` starts, and on which ports. */

export interface ClusterSize {
  readonly match: number
  readonly gateways: number
  readonly feeds: number
  readonly webhooks: number
  /** Port of the first gateway. */
  readonly port: number
}

export interface PlannedProcess {
  readonly name: string
  readonly service: "feed" | "gateway" | "match" | "webhooks"
  readonly env: Readonly<Record<string, string>>
}

/** Distance from the port of the first gateway. */
const FEED_PORTS = 100
const ADMIN_PORTS = 1_000
const CLUSTER_PORTS = 2_000

/** Highest port of the first gateway, so that all other ports exist. */
export const MAX_FIRST_PORT = 60_000
/** Highest number of processes of one kind. */
export const MAX_PROCESSES = 50

const numbered = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, at) => at)

/** Each process has ports of its own, so that all run on one machine. */
export const clusterPlan = ({ feeds, gateways, match, port, webhooks }: ClusterSize): ReadonlyArray<PlannedProcess> => {
  const planned: ReadonlyArray<PlannedProcess> = [
    ...numbered(match).map((at) => ({
      name: `match-${at + 1}`,
      service: "match" as const,
      env: { MATCHPOINT_CLUSTER_HOST: "127.0.0.1", MATCHPOINT_CLUSTER_PORT: String(port + CLUSTER_PORTS + at) },
    })),
    ...numbered(feeds).map((at) => ({
      name: `feed-${at + 1}`,
      service: "feed" as const,
      env: { PORT: String(port + FEED_PORTS + at) },
    })),
    ...numbered(gateways).map((at) => ({ name: `gateway-${at + 1}`, service: "gateway" as const, env: { PORT: String(port + at) } })),
    ...numbered(webhooks).map((at) => ({ name: `webhooks-${at + 1}`, service: "webhooks" as const, env: {} })),
  ]
  return planned.map((one, at) => ({ ...one, env: { ...one.env, MATCHPOINT_ADMIN_PORT: String(port + ADMIN_PORTS + at) } }))
}

/** A process answers here while its event loop runs. `adminHost` is the address that its port listens on. */
export const liveUrl = (adminHost: string, env: PlannedProcess["env"]): string => {
  const host = adminHost === "0.0.0.0" ? "127.0.0.1" : adminHost === "::" ? "::1" : adminHost
  return `http://${host.includes(":") ? `[${host}]` : host}:${env["MATCHPOINT_ADMIN_PORT"]}/health/live`
}

/** One line per process, with its ports. */
export const planLines = (plan: ReadonlyArray<PlannedProcess>): ReadonlyArray<string> =>
  plan.map(({ env, name }) => {
    const admin = `health and metrics on port ${env["MATCHPOINT_ADMIN_PORT"]}`
    return `  ${name.padEnd(12)}${env["PORT"] === undefined ? "" : `port ${env["PORT"]}, `}${admin}`
  })
