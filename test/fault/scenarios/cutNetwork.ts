import { Effect } from "effect"
import type { Link } from "../network/Link.ts"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"
import { busiestOwner, oneOf } from "./victims.ts"

const CUT_FOR = "10 seconds"

const cut = (links: ReadonlyArray<Link>) =>
  Effect.gen(function* () {
    yield* Effect.forEach(links, (link) => link.cutSilently, { discard: true })
    yield* Effect.sleep(CUT_FOR)
    yield* Effect.forEach(links, (link) => link.heal, { discard: true })
  })

const base = {
  topology: { ...usualTopology, links: ["nats", "database"] },
  load: usualLoad,
} as const satisfies Partial<Scenario>

export const cutMatchFromNats: Scenario = {
  ...base,
  name: "cut-match-nats",
  summary: "no packet passes between the busiest match process and NATS for 10 s",
  demands: { longestPauseMs: 5_000 },
  fault: (world) => Effect.flatMap(busiestOwner(world), ({ natsLinks }) => cut(natsLinks)),
}

export const cutMatchFromDatabase: Scenario = {
  ...base,
  name: "cut-match-database",
  summary: "no packet passes between the busiest match process and PostgreSQL for 10 s",
  demands: { longestPauseMs: 15_000 },
  fault: (world) => Effect.flatMap(busiestOwner(world), ({ databaseLinks }) => cut(databaseLinks)),
}

export const cutClients: Scenario = {
  ...base,
  topology: { ...usualTopology, links: ["clients"] },
  name: "cut-clients",
  summary: "no packet passes between the clients and one gateway for 10 s",
  demands: { longestPauseMs: 12_000 },
  fault: (world) => cut(oneOf(world, "gateway").clientLinks),
}

export const dropClients: Scenario = {
  ...base,
  topology: { ...usualTopology, links: ["clients"] },
  name: "drop-clients",
  summary: "all connections between the clients and one gateway are reset, and refused for 10 s",
  demands: { longestPauseMs: 5_000, billsReconnects: true },
  fault: Effect.fnUntraced(function* (world) {
    const { clientLinks } = oneOf(world, "gateway")
    yield* Effect.forEach(clientLinks, (link) => link.cutWithResets, { discard: true })
    yield* Effect.sleep(CUT_FOR)
    yield* Effect.forEach(clientLinks, (link) => link.heal, { discard: true })
  }),
}

export const cutGatewayFromNats: Scenario = {
  ...base,
  name: "cut-gateway-nats",
  summary: "no packet passes between a gateway and NATS for 10 s; its clients go to the other one",
  demands: { longestPauseMs: 5_000 },
  fault: (world) => cut(oneOf(world, "gateway").natsLinks),
}
