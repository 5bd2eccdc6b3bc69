/** `admin keys`: creates, lists, rotates and revokes API keys. */
import type { NewKey } from "@matchpoint/contracts/http/admin/AdminApi"
import { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import { AdminCliError } from "@matchpoint/game/edge/admin/cli/AdminCliError"
import { callAdminApi } from "@matchpoint/game/edge/admin/cli/adminCommand"
import { card, moment, print, secretLines, table } from "@matchpoint/game/edge/admin/cli/print"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accountArgument } from "./accountCommands.ts"
import { agreedOf, plan, termFlags } from "./termFlags.ts"

const keyArgument = Argument.String("key").pipe(
  Argument.withDescription("Key id from `keys list`, not the secret"),
  Argument.withSchema(ApiKeyId),
)

const list = Command.make(
  "list",
  { account: accountArgument },
  Effect.fn(function* ({ account }) {
    const { data } = yield* callAdminApi((api) => api.keys({ params: { accountId: account } }))
    yield* print(data, (rows) =>
      table(
        ["KEY", "LABEL", "PREFIX", "STATUS", "CREATED", "EXPIRES", "REVOKED"],
        rows.map((row) => [
          row.keyId,
          row.label,
          row.prefix,
          row.status,
          moment(row.createdAt),
          moment(row.expiresAt),
          moment(row.revokedAt),
        ]),
      ),
    )
  }),
).pipe(Command.withDescription("List all keys of an account, including revoked ones, newest first"))

const create = Command.make(
  "create",
  {
    label: Flag.String("label").pipe(Flag.withDescription("Purpose of the key")),
    plan: plan.pipe(Flag.withDescription("Create a new account for the key, on this plan"), Flag.optional),
    account: Flag.String("account").pipe(
      Flag.withDescription("Create the key for this existing account"),
      Flag.withSchema(AccountId),
      Flag.optional,
    ),
    ...termFlags,
  },
  Effect.fn(function* ({ account, label, plan, ...terms }) {
    const payload = yield* newKey(label, plan, account, agreedOf(terms))
    yield* print((yield* callAdminApi((api) => api.createKey({ payload }))).data, secretLines)
  }),
).pipe(
  Command.withDescription("Create a key; the secret is shown once"),
  Command.withExamples([
    { command: "admin keys create --plan pro --label desk --add-on live-websockets", description: "A key with a new account" },
    { command: "admin keys create --account 5b0c... --label mobile", description: "Another key for an existing account" },
  ]),
)

const rotate = Command.make(
  "rotate",
  {
    key: keyArgument,
    graceHours: Flag.Finite("grace-hours").pipe(
      Flag.withDescription("Hours for which the old secret keeps working, 0 to 720; default: 24"),
      Flag.optional,
    ),
  },
  Effect.fn(function* ({ graceHours, key }) {
    const payload = Option.isNone(graceHours) ? {} : { graceHours: graceHours.value }
    yield* print((yield* callAdminApi((api) => api.rotateKey({ params: { keyId: key }, payload }))).data, secretLines)
  }),
).pipe(Command.withDescription("Replace the secret of a key; the old secret keeps working for some hours"))

const revoke = Command.make(
  "revoke",
  { key: keyArgument },
  Effect.fn(function* ({ key }) {
    yield* print((yield* callAdminApi((api) => api.revokeKey({ params: { keyId: key } }))).data, (row) =>
      card({ key: row.keyId, label: row.label, prefix: row.prefix, revoked: moment(row.revokedAt) }),
    )
  }),
).pipe(Command.withDescription("Revoke a key. Every gateway rejects it within 5 seconds, and its open streams end. This cannot be undone"))

export const keys = Command.make("keys").pipe(
  Command.withDescription("Manage API keys"),
  Command.withSubcommands([list, create, rotate, revoke]),
)

const newKey = (
  label: string,
  plan: Option.Option<Extract<NewKey, { readonly plan: unknown }>["plan"]>,
  account: Option.Option<AccountId>,
  agreed: ReturnType<typeof agreedOf>,
): Effect.Effect<NewKey, AdminCliError> => {
  if (Option.isSome(plan) && Option.isNone(account)) return Effect.succeed({ label, plan: plan.value, ...agreed })
  if (Option.isSome(plan) || Option.isNone(account)) {
    return Effect.fail(
      new AdminCliError({ message: "give --plan to create a new account for the key, or --account to add the key to an account" }),
    )
  }
  return Object.keys(agreed).length === 0
    ? Effect.succeed({ label, accountId: account.value })
    : Effect.fail(new AdminCliError({ message: "a key has the terms of its account; change them with `accounts update`" }))
}
