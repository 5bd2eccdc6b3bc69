/** `admin parked`: lists the parked writes (writes of match data that the database rejected) and requests another attempt. */
import { MatchId } from "@matchpoint/domain/ids"
import { callAdminApi } from "@matchpoint/game/edge/admin/cli/adminCommand"
import { pageFlags } from "@matchpoint/game/edge/admin/cli/pageFlags"
import { moment, moreLines, print, table } from "@matchpoint/game/edge/admin/cli/print"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"

/** Characters of an error's reason in the table. `--json` shows it completely. */
const SHOWN_REASON = 80

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* (query) {
    const { data, meta } = yield* callAdminApi((api) => api.parked({ query }))
    yield* print(data, (rows) => [
      ...table(
        ["MATCH", "WORK", "FAILED", "ATTEMPTS", "SQLSTATE", "RETRY", "REASON"],
        rows.map((row) => [
          row.matchId,
          row.work,
          moment(row.failedAt),
          String(row.attempts),
          row.sqlState ?? "-",
          row.retryRequestedAt === null ? "-" : "requested",
          row.reason.replace(/\s+/g, " ").slice(0, SHOWN_REASON),
        ]),
      ),
      ...moreLines(meta),
    ])
  }),
).pipe(Command.withDescription("List the writes that the database rejected, newest failure first; --json shows the whole reasons"))

const retry = Command.make(
  "retry",
  { match: Argument.String("match").pipe(Argument.withDescription("Match id"), Argument.withSchema(MatchId)) },
  Effect.fn(function* ({ match }) {
    yield* print((yield* callAdminApi((api) => api.retryParked({ params: { matchId: match } }))).data, (rows) => [
      `${rows.map(({ work }) => work).join(" and ")} of ${match} will be tried within seconds; see \`admin parked list\``,
    ])
  }),
).pipe(Command.withDescription("Retry the parked writes of a match after their cause is fixed"))

export const parked = Command.make("parked").pipe(
  Command.withDescription("Match data writes that the database rejected"),
  Command.withSubcommands([list, retry]),
)
