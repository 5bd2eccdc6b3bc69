/** `npm run admin -- <command>`. Exit codes: 0 for success, 1 for a failure explained on stderr, 130 for Ctrl-C. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { admin } from "@matchpoint/game/edge/admin/cli/adminCommand"
import { gameCommands } from "@matchpoint/games/adminCommands"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { accounts } from "./accountCommands.ts"
import { audit } from "./auditCommands.ts"
import { feedTokens } from "./feedTokenCommands.ts"
import { keys } from "./keyCommands.ts"
import { parked } from "./parkedCommands.ts"
import { usage } from "./usageCommands.ts"

admin.pipe(
  Command.withSubcommands([accounts, keys, usage, feedTokens, parked, audit, ...gameCommands]),
  Command.run({ version: "0.1.0" }),
  Effect.catchTag("AdminCliError", (error) => Effect.andThen(Console.error(error.message), Effect.fail(error))),
  Effect.tapDefect((defect) => Console.error(defect)),
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain({ disableErrorReporting: true }),
)
