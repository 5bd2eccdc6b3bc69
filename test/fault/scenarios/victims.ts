/** Chooses the process that a fault hits. */
import { Effect } from "effect"
import { type MatchpointNode, matchesRunningOn, type Role } from "../system/MatchpointNode.ts"
import type { World } from "./Scenario.ts"

/** Returns the match process that runs the most matches, and notes how many. */
export const busiestOwner = Effect.fnUntraced(function* ({ note, system }: World) {
  const owners = system.of("match")
  const counted = yield* Effect.forEach(owners, (node) => Effect.map(matchesRunningOn(node), (matches) => ({ node, matches })))
  const [busiest, ...others] = counted.sort((a, b) => b.matches - a.matches)
  if (busiest === undefined) return yield* Effect.die(new Error("the system has no match process"))
  note(`${busiest.node.name} owns ${busiest.matches} matches; ${others.map(({ matches, node }) => `${node.name} ${matches}`).join(", ")}`)
  return busiest.node
})

/** Returns a random process of a role. */
export const oneOf = ({ random, system }: World, role: Role): MatchpointNode => {
  const nodes = system.of(role)
  const chosen = nodes[Math.floor(random.next() * nodes.length)]
  if (chosen === undefined) throw new Error(`the system has no process of the role ${role}`)
  return chosen
}
