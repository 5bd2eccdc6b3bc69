// Owns the measured process: log, store and actors, with the feed and the consumer in the same process.
import "effect/schema/SchemaJITCompiler/enable"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { Rejections } from "@matchpoint/bus/Rejections"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { Migrations } from "@matchpoint/games/Migrations"
import { MatchSupervisor } from "@matchpoint/service-match/MatchSupervisor"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches } from "@matchpoint/store/live/Matches"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { Effect, Layer } from "effect"
import { type Flags, readFlags } from "./flags.ts"
import { measure } from "./measure.ts"

const flags = readFlags(process.argv.slice(2))

const NoCheckpoints = Layer.succeed(
  MatchCheckpoints,
  MatchCheckpoints.of({ load: () => Effect.succeed(undefined), save: () => Effect.succeed(true) }),
)

const logOf = ({ nats }: Flags) =>
  nats === undefined ? EventLogMemory.layer({ streams }) : EventLogNats.layer({ servers: nats, streams, namespace: `bench${process.pid}` })

const Engine = MatchSupervisor.layer([cs2LiveGame]).pipe(
  Layer.provide(flags.checkpoints === "sql" ? MatchCheckpoints.layer : NoCheckpoints),
  Layer.provide(Layer.mergeAll(Matches.layer, Checkpoints.layer, ParkedMatches.layer)),
  Layer.provide(Migrations.layer),
  Layer.provide(Embedded.layer({ directory: null })),
  Layer.provide(Rejections.layer),
  Layer.provideMerge(logOf(flags)),
)

await Effect.runPromise(
  measure(flags).pipe(
    Effect.tap((report) => Effect.sync(() => process.send?.(report))),
    Effect.scoped,
    Effect.provide(Engine),
  ),
)
if (process.connected) process.disconnect()
