/**
 * `npm run transcripts -- check` lists what transcripts need, with versions. Exit code 0: everything is there. 1:
 * something is missing; the output says how to install it.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Config, Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { checkReport } from "./checkReport.ts"
import { Transcriber } from "./Transcriber.ts"
import { settingsOf, TranscriberConfig, transcriberConfigs } from "./TranscriberConfig.ts"
import * as TranscriberLayer from "./TranscriberLayer.ts"

const settings = Layer.effect(TranscriberConfig, Effect.map(Config.all(transcriberConfigs), settingsOf))

const check = Command.make(
  "check",
  {},
  Effect.fn("transcripts.check")(function* () {
    const { availability } = yield* Transcriber
    const found = yield* availability
    yield* Console.log(checkReport(found))
    if (!found.isAvailable) process.exitCode = 1
  }),
).pipe(
  Command.withDescription("Lists the programs and weights that transcripts need, and what is missing"),
  Command.provide(TranscriberLayer.layer.pipe(Layer.provide(settings))),
)

Command.make("transcripts").pipe(
  Command.withDescription("Transcripts of videos in posts"),
  Command.withSubcommands([check]),
  Command.run({ version: "0.1.0" }),
  Effect.tapErrorTag("ConfigError", ({ message }) => Console.error(message)),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true }),
)
