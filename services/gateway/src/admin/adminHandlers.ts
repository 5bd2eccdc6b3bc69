/** Handlers of the admin API. */
import { AdminApi, adminLimits } from "@matchpoint/contracts/http/admin/AdminApi"
import { pagingOf } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import type { AccountId } from "@matchpoint/domain/accounts"
import { answering, auditActor } from "@matchpoint/game/edge/admin/adminAnswers"
import { pageOf } from "@matchpoint/game/edge/page"
import { Meter } from "@matchpoint/metering/Meter"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { AuditLog } from "@matchpoint/store/keys/AuditLog"
import { FeedTokens } from "@matchpoint/store/keys/FeedTokens"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { UsageLedger } from "@matchpoint/store/usage/UsageLedger"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AdminChanges } from "./AdminChanges.ts"
import { accountRow, auditEntry, createdFeedToken, createdKey, feedTokenRow, keyRow, parkedWrite, usageRow } from "./adminRows.ts"
import { FeedAdmin } from "./FeedAdmin.ts"

export const AdminHandlers = HttpApiBuilder.group(
  AdminApi,
  "admin",
  Effect.fn(function* (handlers) {
    const accounts = yield* Accounts
    const keys = yield* KeyRegister
    const usage = yield* UsageLedger
    const audit = yield* AuditLog
    const meter = yield* Meter
    const changes = yield* AdminChanges
    const feedTokens = yield* FeedTokens
    const parked = yield* ParkedMatches
    const feeds = yield* FeedAdmin
    const by = yield* auditActor

    const accountOf = (accountId: AccountId) =>
      Effect.flatMap(
        accounts.get(accountId),
        Effect.fromOption(() => noAccount(accountId)),
      )

    return handlers.handleAll({
      accounts: answering(function* ({ query }) {
        const page = pageOf(query, adminLimits.accounts)
        const { accounts: found, total } = yield* accounts.list(page)
        return listed(found.map(accountRow), pagingOf(page, found.length, total))
      }),
      createAccount: answering(function* ({ payload, request }) {
        return data(accountRow(yield* changes.createAccount(payload, yield* by(request))))
      }),
      account: answering(function* ({ params }) {
        return data(accountRow(yield* accountOf(params.accountId)))
      }),
      updateAccount: answering(function* ({ params, payload, request }) {
        return data(accountRow(yield* changes.updateAccount(params.accountId, payload, yield* by(request))))
      }),
      accountUsage: answering(function* ({ params, query }) {
        // The response includes the usage that this process has counted. Other gateways' usage is included up to their
        // last report.
        yield* meter.flush(params.accountId)
        const month = yield* usage.month(params.accountId, query.period)
        return Option.isSome(month) ? data(usageRow(params.accountId, month.value)) : yield* noAccount(params.accountId)
      }),
      keys: answering(function* ({ params }) {
        yield* accountOf(params.accountId)
        return data((yield* keys.ofAccount(params.accountId)).map(keyRow))
      }),
      createKey: answering(function* ({ payload, request }) {
        return data(createdKey(yield* changes.createKey(payload, yield* by(request))))
      }),
      rotateKey: answering(function* ({ params, payload, request }) {
        return data(createdKey(yield* changes.rotateKey(params.keyId, payload, yield* by(request))))
      }),
      revokeKey: answering(function* ({ params, request }) {
        return data(keyRow(yield* changes.revokeKey(params.keyId, yield* by(request))))
      }),
      feedTokens: answering(function* ({ query }) {
        const page = pageOf(query, adminLimits.feedTokens)
        const { rows, total } = yield* feedTokens.list(page)
        return listed(rows.map(feedTokenRow), pagingOf(page, rows.length, total))
      }),
      createFeedToken: answering(function* ({ payload, request }) {
        return data(createdFeedToken(yield* feeds.createToken(payload, yield* by(request))))
      }),
      revokeFeedToken: answering(function* ({ params, request }) {
        return data(feedTokenRow(yield* feeds.revokeToken(params.tokenId, yield* by(request))))
      }),
      parked: answering(function* ({ query }) {
        const page = pageOf(query, adminLimits.parked)
        const { rows, total } = yield* parked.list(page)
        return listed(rows.map(parkedWrite), pagingOf(page, rows.length, total))
      }),
      retryParked: answering(function* ({ params, request }) {
        return data((yield* feeds.retryParked(params.matchId, yield* by(request))).map(parkedWrite))
      }),
      audit: answering(function* ({ query }) {
        const page = pageOf(query, adminLimits.audit)
        const { rows, total } = yield* audit.list(page)
        return listed(rows.map(auditEntry), pagingOf(page, rows.length, total))
      }),
    })
  }),
)

const data = <A>(shown: A) => ({ success: true as const, data: shown, meta: {} })

const listed = <A, Meta>(shown: ReadonlyArray<A>, meta: Meta) => ({ success: true as const, data: shown, meta })

const noAccount = (accountId: AccountId) => NotFound.of(`no account has the id ${accountId}`)
