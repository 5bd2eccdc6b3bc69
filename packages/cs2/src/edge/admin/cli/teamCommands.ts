/** `admin teams`: merges duplicate CS2 teams and splits teams that were wrongly combined. */
import { AdminCliError } from "@matchpoint/game/edge/admin/cli/AdminCliError"
import { callOperatorApi } from "@matchpoint/game/edge/admin/cli/adminCommand"
import { pageFlags } from "@matchpoint/game/edge/admin/cli/pageFlags"
import { card, moment, moreLines, print, table } from "@matchpoint/game/edge/admin/cli/print"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { TeamCorrection } from "../../../contract/http/admin/TeamCorrectionsApi.ts"
import { Cs2AdminApi } from "../../../contract/http/admin/TeamCorrectionsApi.ts"

const team = (name: string, description: string) => Argument.String(name).pipe(Argument.withDescription(`${description}: id or slug`))
const reason = Flag.String("reason").pipe(Flag.withDescription("Reason shown in the changelog"), Flag.optional)

/** A flag whose value is a day such as `2026-01-31`, optionally with a time; in UTC unless it contains an offset. */
const day = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.withSchema(
      Schema.String.check(
        Schema.makeFilter((text: string) => (Number.isNaN(Date.parse(text)) ? "expected a day such as 2026-01-31" : undefined)),
      ),
    ),
    Flag.optional,
  )

const merge = Command.make(
  "merge",
  { team: team("team", "Team to merge, which is removed"), into: team("into", "Team that receives its data"), reason },
  Effect.fn(function* ({ into, reason, team }) {
    const payload = { team, into, ...(Option.isNone(reason) ? {} : { reason: reason.value }) }
    yield* print((yield* callOperatorApi(Cs2AdminApi, (api) => api["cs2-team-corrections"].merge({ payload }))).data, correctionCard)
  }),
).pipe(
  Command.withDescription(
    "Merge two teams: the matches, standings, prizes and names of the first one move to the second, now and in later imports",
  ),
  Command.withExamples([
    { command: "admin teams merge apogee betclic --reason 'renamed in April 2025'", description: "Apogee is now called Betclic" },
  ]),
)

const isoOf = (day: string): string => new Date(day).toISOString()

const split = Command.make(
  "split",
  {
    team: team("team", "Team to split"),
    name: Flag.String("name").pipe(Flag.withDescription("Name of the new team")),
    from: day("from", "First day of the new team; default: since the beginning"),
    until: day("until", "Day after the last day of the new team; default: no end"),
    reason,
  },
  Effect.fn(function* ({ from, name, reason, team, until }) {
    if (Option.isNone(from) && Option.isNone(until)) {
      return yield* new AdminCliError({ message: "give --from, --until or both: the period that belongs to the new team" })
    }
    const payload = {
      team,
      name,
      ...(Option.isNone(from) ? {} : { from: isoOf(from.value) }),
      ...(Option.isNone(until) ? {} : { until: isoOf(until.value) }),
      ...(Option.isNone(reason) ? {} : { reason: reason.value }),
    }
    yield* print((yield* callOperatorApi(Cs2AdminApi, (api) => api["cs2-team-corrections"].split({ payload }))).data, correctionCard)
  }),
).pipe(
  Command.withDescription("Split a team: its data from one period moves to a new team, now and in later imports"),
  Command.withExamples([
    {
      command: "admin teams split leo --name 'Leo (CIS)' --from 2025-06-01",
      description: "Since June 2025, another team has used this name",
    },
  ]),
)

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* (query) {
    const { data, meta } = yield* callOperatorApi(Cs2AdminApi, (api) => api["cs2-team-corrections"].corrections({ query }))
    yield* print(data, (rows) => [
      ...table(
        ["TIME", "ACTOR", "ACTION", "TEAM", "OTHER", "FROM", "UNTIL", "REASON"],
        rows.map((row) => [
          moment(row.createdAt),
          row.actor,
          row.kind,
          row.teamId,
          `${row.otherTeamId} ${row.otherTeamName}`,
          moment(row.from),
          moment(row.until),
          row.reason ?? "-",
        ]),
      ),
      ...moreLines(meta),
    ])
  }),
).pipe(Command.withDescription("List all corrections, newest first"))

const correctionCard = (row: TeamCorrection): ReadonlyArray<string> =>
  card({
    action: row.kind,
    team: row.teamId,
    [row.kind === "merge" ? "into" : "new team"]: `${row.otherTeamId} ${row.otherTeamName}`,
    from: moment(row.from),
    until: moment(row.until),
    reason: row.reason ?? "-",
  })

export const teams = Command.make("teams").pipe(
  Command.withDescription("Merge and split CS2 teams"),
  Command.withSubcommands([list, merge, split]),
)
