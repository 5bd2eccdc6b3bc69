/** `admin accounts`: manages customer accounts and their agreed terms. */
import { AccountId } from "@matchpoint/domain/accounts"
import { AdminCliError } from "@matchpoint/game/edge/admin/cli/AdminCliError"
import { callAdminApi } from "@matchpoint/game/edge/admin/cli/adminCommand"
import { pageFlags } from "@matchpoint/game/edge/admin/cli/pageFlags"
import { accountCard, moment, moreLines, number, print, table } from "@matchpoint/game/edge/admin/cli/print"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { agreedOf, plan, termFlags } from "./termFlags.ts"

export const accountArgument = Argument.String("account").pipe(
  Argument.withDescription("Account id from `accounts list`"),
  Argument.withSchema(AccountId),
)

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* (query) {
    const { data, meta } = yield* callAdminApi((api) => api.accounts({ query }))
    yield* print(data, (rows) => [
      ...table(
        ["ACCOUNT", "NAME", "PLAN", "GAME", "PER MONTH", "PER SECOND", "ADD-ONS", "CREATED"],
        rows.map((row) => [
          row.accountId,
          row.name,
          row.plan,
          row.game ?? "all",
          number(row.requestsPerMonth),
          number(row.requestsPerSecond),
          row.addOns.join(",") || "-",
          moment(row.createdAt),
        ]),
      ),
      ...moreLines(meta),
    ])
  }),
).pipe(Command.withDescription("List all accounts, newest first"))

const create = Command.make(
  "create",
  { name: Flag.String("name").pipe(Flag.withDescription("Name of the customer")), plan, ...termFlags },
  Effect.fn(function* ({ name, plan, ...terms }) {
    yield* print((yield* callAdminApi((api) => api.createAccount({ payload: { name, plan, ...agreedOf(terms) } }))).data, accountCard)
  }),
).pipe(
  Command.withDescription("Create an account; create its keys with `keys create --account`"),
  Command.withExamples([
    { command: 'admin accounts create --name "ACME Sports" --plan business', description: "An account with the plan's standard terms" },
  ]),
)

const show = Command.make(
  "show",
  { account: accountArgument },
  Effect.fn(function* ({ account }) {
    yield* print((yield* callAdminApi((api) => api.account({ params: { accountId: account } }))).data, accountCard)
  }),
).pipe(Command.withDescription("Show the terms of an account"))

const update = Command.make(
  "update",
  {
    account: accountArgument,
    name: Flag.String("name").pipe(Flag.withDescription("Name of the customer"), Flag.optional),
    plan: plan.pipe(Flag.withDescription("New plan; its quota and rate apply unless they are given"), Flag.optional),
    withoutAddOns: Flag.Boolean("without-add-ons").pipe(Flag.withDescription("Remove all add-ons"), Flag.withDefault(false)),
    ...termFlags,
  },
  Effect.fn(function* ({ account, name, plan, withoutAddOns, ...terms }) {
    if (withoutAddOns && terms.addOns.length > 0) {
      return yield* new AdminCliError({ message: "give --add-on or --without-add-ons, not both" })
    }
    const payload = {
      ...(Option.isNone(name) ? {} : { name: name.value }),
      ...(Option.isNone(plan) ? {} : { plan: plan.value }),
      ...agreedOf(terms),
      ...(withoutAddOns ? { addOns: [] } : {}),
    }
    if (Object.keys(payload).length === 0) {
      return yield* new AdminCliError({ message: "nothing to change; give --plan, --name or another flag of `accounts update --help`" })
    }
    yield* print((yield* callAdminApi((api) => api.updateAccount({ params: { accountId: account }, payload }))).data, accountCard)
  }),
).pipe(
  Command.withDescription("Change name, plan, add-ons, quota or rate. Takes effect within 5 seconds and does not reset this month's usage"),
  Command.withExamples([
    { command: "admin accounts update 5b0c... --plan scale", description: "Changes the plan, quota and rate to those of Scale" },
  ]),
)

export const accounts = Command.make("accounts").pipe(
  Command.withDescription("Manage customer accounts and their terms"),
  Command.withSubcommands([list, create, show, update]),
)
