/** Chooses the process that a fault hits. */
import { Effect } from "effect"
import { type MatchpointNode, matchesRunningOn, type Role } from "../system/MatchpointNode.ts"
import type { World } from "./Scenario.ts"

interface Owner {
  readonly node: MatchpointNode
  readonly matches: number
}

/** Match processes that run, with their number of matches, the largest first. */
const owners = ({ system }: World) =>
  Effect.map(
    Effect.forEach(
      system.of("match").filter(({ program }) => program.isRunning),
      (node) => Effect.map(matchesRunningOn(node), (matches): Owner => ({ node, matches })),
    ),
    (counted) => counted.sort((a, b) => b.matches - a.matches),
  )

const listOf = (counted: ReadonlyArray<Owner>): string => counted.map(({ matches, node }) => `${node.name} runs ${matches}`).join(", ")

/** Returns a text with the number of matches of each match process. */
export const matchesByOwner = (world: World) => Effect.map(owners(world), listOf)

/** Returns the match process that runs the most matches, and notes how many each one runs. */
export const busiestOwner = Effect.fnUntraced(function* (world: World) {
  const counted = yield* owners(world)
  const [busiest] = counted
  if (busiest === undefined) return yield* Effect.die(new Error("the system has no match process"))
  world.note(`matches: ${listOf(counted)}`)
  return busiest.node
})

/** Returns a random process of a role. */
export const oneOf = ({ random, system }: World, role: Role): MatchpointNode => {
  const nodes = system.of(role)
  const chosen = nodes[Math.floor(random.next() * nodes.length)]
  if (chosen === undefined) throw new Error(`the system has no process of the role ${role}`)
  return chosen
}
