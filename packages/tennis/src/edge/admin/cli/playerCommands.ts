import { callOperatorApi } from "@matchpoint/game/edge/admin/cli/adminCommand"
import { pageFlags } from "@matchpoint/game/edge/admin/cli/pageFlags"
import { card, moreLines, print, table } from "@matchpoint/game/edge/admin/cli/print"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { TennisAdminApi } from "../../../contract/http/admin/PlayerMergesApi.ts"

const candidates = Command.make(
  "candidates",
  pageFlags,
  Effect.fn(function* (query) {
    const { data, meta } = yield* callOperatorApi(TennisAdminApi, (api) => api["tennis-player-merges"].candidates({ query }))
    yield* print(data, (rows) => [
      ...table(
        ["PLAYER", "MATCHES", "INTO", "MATCHES", "NAME", "BORN", "COUNTRY", "AGAINST"],
        rows.map((row) => [
          row.playerId,
          String(row.matches),
          row.intoId,
          String(row.intoMatches),
          row.name,
          row.birthDate,
          row.country,
          row.against ?? "- (certain)",
        ]),
      ),
      ...moreLines(meta),
    ])
  }),
).pipe(Command.withDescription("List players with equal name, birth date and country, certain candidates for merging first"))

const merge = Command.make(
  "merge",
  {
    player: Argument.String("player").pipe(Argument.withDescription("Id of the player to merge, which is removed")),
    into: Argument.String("into").pipe(Argument.withDescription("Id of the player that receives its matches and rankings")),
    reason: Flag.String("reason").pipe(Flag.withDescription("Reason shown in the audit log"), Flag.optional),
  },
  Effect.fn(function* ({ into, player, reason }) {
    const payload = { player, into, ...(Option.isNone(reason) ? {} : { reason: reason.value }) }
    yield* print((yield* callOperatorApi(TennisAdminApi, (api) => api["tennis-player-merges"].merge({ payload }))).data, (done) =>
      card({ action: "merge", player: done.player, into: done.into }),
    )
  }),
).pipe(
  Command.withDescription("Merge two tennis players: matches and rankings of the first one move to the second, now and in later imports"),
  Command.withExamples([
    {
      command: "admin tennis-players merge atp_125588 atp_113156 --reason 'same person'",
      description: "Both are the same player",
    },
  ]),
)

export const tennisPlayers = Command.make("tennis-players").pipe(
  Command.withDescription("Merge tennis players who are in the archive twice"),
  Command.withSubcommands([candidates, merge]),
)
