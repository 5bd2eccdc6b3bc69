import { Effect } from "effect"
import type { NodePlan } from "../system/MatchpointNode.ts"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad, type World } from "./Scenario.ts"
import { matchesByOwner } from "./victims.ts"

const older = (name: string, role: NodePlan["role"]): NodePlan => ({ name, role, isOtherVersion: true })
const newer = (name: string, role: NodePlan["role"]): NodePlan => ({ name, role, startsLater: true })

const byName = ({ system }: World, name: string) => {
  const node = system.nodes.find((candidate) => candidate.name === name)
  if (node === undefined) throw new Error(`the system has no ${name}`)
  return node.program
}

/** An upgrade that is begun and taken back: each process runs beside the other version, in both directions. */
export const twoVersions: Scenario = {
  name: "two-versions",
  summary: "an older version runs; this version joins, the older owner is killed and returns, and the newer one leaves",
  topology: {
    ...usualTopology,
    nodes: [
      older("match-old", "match"),
      older("gateway-old", "gateway"),
      older("feed-old", "feed"),
      older("webhooks-old", "webhooks"),
      newer("match-new", "match"),
      newer("gateway-new", "gateway"),
      newer("feed-new", "feed"),
      newer("webhooks-new", "webhooks"),
    ],
  },
  load: usualLoad,
  demands: {},
  fault: Effect.fnUntraced(function* (world) {
    for (const name of ["match-new", "feed-new", "gateway-new", "webhooks-new"]) yield* byName(world, name).start
    world.note(`both versions run: ${yield* matchesByOwner(world)}`)
    yield* byName(world, "match-old").kill
    yield* Effect.sleep("5 seconds")
    world.note(`the older owner is gone: ${yield* matchesByOwner(world)}`)
    yield* byName(world, "match-old").restart()
    yield* Effect.sleep("5 seconds")
    world.note(`the older owner is back: ${yield* matchesByOwner(world)}`)
    yield* byName(world, "match-new").stop
    yield* Effect.sleep("5 seconds")
    world.note(`the newer owner has left: ${yield* matchesByOwner(world)}`)
  }),
}
