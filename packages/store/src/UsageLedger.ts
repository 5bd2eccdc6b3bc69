/** The durable ledger of usage: what of each account's month is given out, what was served of it, the receipts of streams. */
import type { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import type { LeaseReport, SettleAnswer, StreamChannel, StreamReceipt } from "@matchpoint/domain/metering/leases"
import type { Day, Period } from "@matchpoint/domain/metering/periods"
import { Context, Effect, Layer, type Option } from "effect"
import type { StoreError } from "./StoreError.ts"

export interface Counts {
  readonly requests: number
  readonly streamTicks: number
}

/** The bill of an account's month. */
export interface MonthOfUsage extends Counts {
  readonly period: Period
  readonly quota: number
  /** Given out to gateways, served or not. */
  readonly granted: number
  /** Of what was given out: neither served nor held by a gateway that has been heard of within a minute. */
  readonly misplaced: number
}

export interface DayOfUsage extends Counts {
  readonly day: Day
}

/** Times are epoch ms. */
export interface StoredSession {
  readonly sessionId: string
  readonly keyId: ApiKeyId
  readonly channel: StreamChannel
  readonly openedAt: number
  readonly lastTickAt: number
  readonly closedAt: number | null
  readonly ticks: number
}

export class UsageLedger extends Context.Service<
  UsageLedger,
  {
    /** As the port of metering says: all or nothing, each report applied as `settle` of the domain does. */
    readonly settle: (leases: ReadonlyArray<LeaseReport>, receipts: ReadonlyArray<StreamReceipt>) => Effect.Effect<SettleAnswer, StoreError>
    /** `period` undefined: the current month by the database's clock. None: there is no such account. */
    readonly month: (accountId: AccountId, period: Period | undefined) => Effect.Effect<Option.Option<MonthOfUsage>, StoreError>
    /** The last `limit` days with use, newest first. */
    readonly days: (accountId: AccountId, limit: number) => Effect.Effect<ReadonlyArray<DayOfUsage>, StoreError>
    /** Streams charged in a month, newest first; `ticks` sums all of them, not only the page. */
    readonly sessions: (
      accountId: AccountId,
      period: Period,
      page: { readonly limit: number; readonly offset: number },
    ) => Effect.Effect<{ readonly sessions: ReadonlyArray<StoredSession>; readonly total: number; readonly ticks: number }, StoreError>
    /** One stream of the account, by month. Empty: it has none of this id. */
    readonly session: (
      accountId: AccountId,
      sessionId: string,
    ) => Effect.Effect<ReadonlyArray<StoredSession & { readonly period: Period }>, StoreError>
  }
>()("@matchpoint/store/UsageLedger") {
  static readonly layer = Layer.succeed(
    UsageLedger,
    UsageLedger.of({
      settle: () => Effect.die("being built"),
      month: () => Effect.die("being built"),
      days: () => Effect.die("being built"),
      sessions: () => Effect.die("being built"),
      session: () => Effect.die("being built"),
    }),
  )
}
