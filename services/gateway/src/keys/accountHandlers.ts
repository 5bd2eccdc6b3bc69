/**
 * The API key determines the account, so customers see only their own. Usage includes all requests of this gateway, and
 * those of others up to their last report.
 */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { accountLimits } from "@matchpoint/contracts/http/account/AccountApi"
import { pagingOf } from "@matchpoint/contracts/http/envelope"
import { NotFound, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { ServiceApi } from "@matchpoint/contracts/http/ServiceApi"
import { Plan, planTerms } from "@matchpoint/domain/plans"
import { pageOf } from "@matchpoint/game/edge/page"
import { handlersWith, unavailable } from "@matchpoint/game/edge/responses/unavailable"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Meter } from "@matchpoint/metering/Meter"
import { UsageLedger } from "@matchpoint/store/usage/UsageLedger"
import { Effect, Option } from "effect"
import { planRow, sessionOf, sessionRow, usageOf } from "./accountRows.ts"

/** Days of `/usage`. Only days with usage are included. */
const HISTORY_DAYS = 31

export const AccountHandlers = endpointGroup(
  ServiceApi,
  "account",
  Effect.fn(function* (handlers) {
    const meter = yield* Meter
    const ledger = yield* UsageLedger

    const flushedCaller = Effect.tap(Caller, ({ accountId }) => meter.flush(accountId))

    return handlers.handleAll({
      plans: () => Effect.succeed(data(Plan.literals.map((plan) => planRow(plan, planTerms[plan])))),
      usage: answering(function* ({ query }) {
        const customer = yield* flushedCaller
        const month = yield* ledger.month(customer.accountId, query.period)
        if (Option.isNone(month)) return yield* ServiceUnavailable.because("the account's usage is not available; try again")
        const days = yield* ledger.days(customer.accountId, HISTORY_DAYS)
        return data(usageOf(customer, month.value, days))
      }),
      sessions: answering(function* ({ query }) {
        const { accountId } = yield* flushedCaller
        const page = pageOf(query, accountLimits.sessions)
        const period = query.period ?? meter.clock.period()
        const { sessions, ticks, total } = yield* ledger.sessions(accountId, period, page)
        return {
          success: true as const,
          data: sessions.map(sessionRow),
          meta: { ...pagingOf(page, sessions.length, total), period, ticks },
        }
      }),
      session: answering(function* ({ params }) {
        const { accountId } = yield* flushedCaller
        const session = sessionOf(yield* ledger.session(accountId, params.sessionId))
        return session === undefined ? yield* noSession : data(session)
      }),
    })
  }),
)

const data = <A>(shown: A) => ({ success: true as const, data: shown, meta: {} })

const noSession = Effect.fail(NotFound.of("your account has no stream with this id; GET /usage/sessions lists all streams"))

const answering = handlersWith(unavailable("usage cannot be read"))
