/** `admin accounts`: customers' accounts and their agreed terms. */
import { AccountId } from "@matchpoint/domain/accounts"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AdminCliError } from "./AdminCliError.ts"
import { ask } from "./adminCommand.ts"
import { pageFlags } from "./pageFlags.ts"
import { accountCard, moment, moreLines, number, print, table } from "./print.ts"
import { agreedOf, plan, termFlags } from "./termFlags.ts"

export const accountArgument = Argument.String("account").pipe(
  Argument.withDescription("Its id, as `accounts list` shows it"),
  Argument.withSchema(AccountId),
)

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* (query) {
    const { data, meta } = yield* ask((api) => api.accounts({ query }))
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
).pipe(Command.withDescription("All accounts, newest first"))

const create = Command.make(
  "create",
  { name: Flag.String("name").pipe(Flag.withDescription("Whose it is")), plan, ...termFlags },
  Effect.fn(function* ({ name, plan, ...terms }) {
    yield* print((yield* ask((api) => api.createAccount({ payload: { name, plan, ...agreedOf(terms) } }))).data, accountCard)
  }),
).pipe(
  Command.withDescription("Create an account; keys for it are made with `keys create --account`"),
  Command.withExamples([
    { command: 'admin accounts create --name "ACME Sports" --plan business', description: "With the plan's own terms" },
  ]),
)

const show = Command.make(
  "show",
  { account: accountArgument },
  Effect.fn(function* ({ account }) {
    yield* print((yield* ask((api) => api.account({ params: { accountId: account } }))).data, accountCard)
  }),
).pipe(Command.withDescription("What an account has agreed to"))

const update = Command.make(
  "update",
  {
    account: accountArgument,
    name: Flag.String("name").pipe(Flag.withDescription("Whose it is"), Flag.optional),
    plan: plan.pipe(Flag.withDescription("Another plan; brings its own quota and rate unless they are given"), Flag.optional),
    withoutAddOns: Flag.Boolean("without-add-ons").pipe(Flag.withDescription("Take all add-ons away"), Flag.withDefault(false)),
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
    yield* print((yield* ask((api) => api.updateAccount({ params: { accountId: account }, payload }))).data, accountCard)
  }),
).pipe(
  Command.withDescription("Change name, plan, add-ons, quota or rate; works within 5 seconds, and what was used this month stays used"),
  Command.withExamples([{ command: "admin accounts update 5b0c... --plan scale", description: "Takes the quota and the rate of Scale" }]),
)

export const accounts = Command.make("accounts").pipe(
  Command.withDescription("Who pays, and what was agreed"),
  Command.withSubcommands([list, create, show, update]),
)
