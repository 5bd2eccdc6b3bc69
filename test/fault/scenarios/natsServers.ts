import { Effect } from "effect"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"

export const natsServers: Scenario = {
  name: "nats-servers",
  summary: "of three NATS servers, each in turn is killed with -9; a gateway starts while it is away, then it starts again",
  topology: { ...usualTopology, natsServers: 3 },
  load: {
    small: { ...usualLoad.small, factsPerMatch: 400 },
    full: { ...usualLoad.full, factsPerMatch: 400 },
  },
  demands: { longestPauseMs: 20_000 },
  fault: Effect.fnUntraced(function* ({ finding, note, system }) {
    for (const [index, { name, program }] of system.nats.nodes.entries()) {
      yield* program.kill
      // Until NATS has another leader.
      yield* Effect.sleep("10 seconds")
      const started = yield* Effect.exit(system.join({ name: `gateway-${3 + index}`, role: "gateway" }))
      if (started._tag === "Failure") finding(`no gateway can start while ${name} is away`)
      else note(`a gateway started while ${name} was away`)
      yield* program.restart()
      yield* Effect.sleep("5 seconds")
    }
  }),
}
