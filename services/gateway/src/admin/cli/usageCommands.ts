/** `admin usage`: an account's usage in one month. */
import { Period } from "@matchpoint/domain/metering/periods"
import { callAdminApi } from "@matchpoint/game/edge/admin/cli/adminCommand"
import { card, number, print } from "@matchpoint/game/edge/admin/cli/print"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { accountArgument } from "./accountCommands.ts"

const show = Command.make(
  "show",
  {
    account: accountArgument,
    period: Flag.String("period").pipe(
      Flag.withDescription("Month in UTC, such as 2026-11; default: the current month"),
      Flag.withSchema(Period),
      Flag.optional,
    ),
  },
  Effect.fn(function* ({ account, period }) {
    const query = Option.isNone(period) ? {} : { period: period.value }
    const { data } = yield* callAdminApi((api) => api.accountUsage({ params: { accountId: account }, query }))
    yield* print(data, (month) =>
      card({
        account: month.accountId,
        period: month.period,
        quota: number(month.quota),
        requests: number(month.requests),
        "stream ticks": number(month.streamTicks),
        total: number(month.total),
        misplaced: number(month.misplaced),
      }),
    )
  }),
).pipe(Command.withDescription("Show an account's usage in one month; streams cost 1 at connect and 1 per 15 s"))

export const usage = Command.make("usage").pipe(Command.withDescription("Usage of accounts"), Command.withSubcommands([show]))
