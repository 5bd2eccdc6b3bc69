/** `admin feed-tokens`: creates, lists and revokes feed tokens that are limited to one match or one source. */
import { FeedSource, FeedTokenId } from "@matchpoint/domain/feedTokens"
import { MatchId } from "@matchpoint/domain/ids"
import { AdminCliError } from "@matchpoint/game/edge/admin/cli/AdminCliError"
import { callAdminApi } from "@matchpoint/game/edge/admin/cli/adminCommand"
import { pageFlags } from "@matchpoint/game/edge/admin/cli/pageFlags"
import { card, moment, moreLines, print, table } from "@matchpoint/game/edge/admin/cli/print"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* (query) {
    const { data, meta } = yield* callAdminApi((api) => api.feedTokens({ query }))
    yield* print(data, (rows) => [
      ...table(
        ["TOKEN", "LABEL", "PREFIX", "MATCH", "SOURCE", "STATUS", "CREATED", "REVOKED"],
        rows.map((row) => [
          row.tokenId,
          row.label,
          row.prefix,
          row.matchId ?? "any",
          row.source ?? "any",
          row.status,
          moment(row.createdAt),
          moment(row.revokedAt),
        ]),
      ),
      ...moreLines(meta),
    ])
  }),
).pipe(Command.withDescription("List all feed tokens, including revoked ones, newest first"))

const create = Command.make(
  "create",
  {
    label: Flag.String("label").pipe(Flag.withDescription("Purpose of the token")),
    match: Flag.String("match").pipe(
      Flag.withDescription("Match that the token may send facts about; default: any"),
      Flag.withSchema(MatchId),
      Flag.optional,
    ),
    source: Flag.Literals("source", FeedSource.literals).pipe(
      Flag.withDescription("Source that the token may send as; default: both"),
      Flag.optional,
    ),
  },
  Effect.fn(function* ({ label, match, source }) {
    if (Option.isNone(match) && Option.isNone(source)) {
      return yield* new AdminCliError({ message: "give --match, --source or both; the token without limits is MATCHPOINT_FEED_TOKEN" })
    }
    const payload = {
      label,
      ...(Option.isNone(match) ? {} : { matchId: match.value }),
      ...(Option.isNone(source) ? {} : { source: source.value }),
    }
    yield* print((yield* callAdminApi((api) => api.createFeedToken({ payload }))).data, ({ matchId, secret, source: sends, tokenId }) => [
      ...card({ token: tokenId, match: matchId ?? "any", source: sends ?? "any", secret }),
      "",
      "The secret is shown only once: save it now. The server stores only its hash.",
    ])
  }),
).pipe(
  Command.withDescription("Create a feed token for one match or one source; the secret is shown once"),
  Command.withExamples([
    { command: "admin feed-tokens create --match cs2-match-1001 --label relay", description: "A token for one match" },
    { command: "admin feed-tokens create --source backup --label observers", description: "A token for backup feeds of any match" },
  ]),
)

const revoke = Command.make(
  "revoke",
  {
    token: Argument.String("token").pipe(
      Argument.withDescription("Token id from `feed-tokens list`, not the secret"),
      Argument.withSchema(FeedTokenId),
    ),
  },
  Effect.fn(function* ({ token }) {
    yield* print((yield* callAdminApi((api) => api.revokeFeedToken({ params: { tokenId: token } }))).data, (row) =>
      card({ token: row.tokenId, label: row.label, prefix: row.prefix, revoked: moment(row.revokedAt) }),
    )
  }),
).pipe(Command.withDescription("Revoke a feed token. Every server rejects it within 5 seconds. This cannot be undone"))

export const feedTokens = Command.make("feed-tokens").pipe(
  Command.withDescription("Manage feed tokens"),
  Command.withSubcommands([list, create, revoke]),
)
