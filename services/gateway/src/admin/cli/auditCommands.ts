/** `admin audit`: lists the changes that operators made. */
import { callAdminApi } from "@matchpoint/game/edge/admin/cli/adminCommand"
import { pageFlags } from "@matchpoint/game/edge/admin/cli/pageFlags"
import { moment, moreLines, print, table } from "@matchpoint/game/edge/admin/cli/print"
import { Effect } from "effect"
import { Command } from "effect/cli"

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* (query) {
    const { data, meta } = yield* callAdminApi((api) => api.audit({ query }))
    yield* print(data, (rows) => [
      ...table(
        ["TIME", "ACTOR", "ADDRESS", "ACTION", "ACCOUNT", "KEY"],
        rows.map((row) => [moment(row.at), row.actor, row.address ?? "-", row.action, row.accountId ?? "-", row.keyId ?? "-"]),
      ),
      ...moreLines(meta),
    ])
  }),
).pipe(Command.withDescription("List all changes, newest first; --json shows the details"))

export const audit = Command.make("audit").pipe(Command.withDescription("Show the audit log"), Command.withSubcommands([list]))
