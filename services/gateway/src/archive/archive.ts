/**
 * What the endpoints of the archive have in common: how far back the caller's plan lets him look, pages, and what is answered while the
 * store does not. Knows no resource.
 */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { pagingOf } from "@matchpoint/contracts/http/envelope"
import { type HistoryLimit, ServiceUnavailable, ValidationError } from "@matchpoint/contracts/http/errors"
import { readInstant } from "@matchpoint/contracts/http/instants"
import { DEFAULT_LIMIT } from "@matchpoint/contracts/http/listing"
import { historyStart } from "@matchpoint/domain/plans"
import { tooOldFor } from "@matchpoint/metering/entitlements"
import { ForeignCursor, type Listed, type PageWindow } from "@matchpoint/store/paging/listReader"
import { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Effect } from "effect"
import { type Page, pageOf } from "../http/pages/page.ts"

/**
 * From when on a list may show what has happened: where the plan's history begins, or what was asked for, which must not be older, nor
 * lie after `to`, where it was asked to end. `undefined`: everything.
 */
export const since = Effect.fnUntraced(function* (
  from?: string,
  to?: string,
): Effect.fn.Return<Date | undefined, HistoryLimit | ValidationError, Caller> {
  if (from !== undefined && to !== undefined && readInstant(from) > readInstant(to)) {
    return yield* ValidationError.because(`the range begins, at ${from}, after it ends, at ${to}`, { from, to })
  }
  const caller = yield* Caller
  const now = yield* Clock.currentTimeMillis
  const start = historyStart(caller.plan, now)
  if (from !== undefined) {
    const at = readInstant(from)
    const refusal = tooOldFor(caller, at, now)
    if (refusal !== undefined) return yield* refusal
    return dateAt(at)
  }
  return Number.isFinite(start) ? dateAt(start) : undefined
})

/** What statements take. `at`: epoch ms. */
export const dateAt = (at: number): Date => new Date(at)

/** Until when, inclusive; `undefined`: no end. */
export const until = (to: string | undefined): Date | undefined => (to === undefined ? undefined : new Date(readInstant(to)))

/** Fails when something of the moment `at` is older than the caller's plan looks back. */
export const withinHistory = Effect.fnUntraced(function* (at: Date): Effect.fn.Return<void, HistoryLimit, Caller> {
  const refusal = tooOldFor(yield* Caller, at.getTime(), yield* Clock.currentTimeMillis)
  if (refusal !== undefined) return yield* refusal
})

/** The page that was asked for; `offset` wins over `page`. */
export const listPage = (
  query: { readonly limit?: number | undefined; readonly page?: number | undefined; readonly offset?: number | undefined },
  max: number,
): Page => {
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, max)
  return query.offset === undefined ? pageOf({ ...query, limit }, max) : pageAt(query.offset, limit)
}

const pageAt = (offset: number, limit: number): Page => ({
  limit,
  offset,
  page: Math.min(Math.floor(offset / limit) + 1, Number.MAX_SAFE_INTEGER),
})

interface ListQuery {
  readonly limit?: number | undefined
  readonly page?: number | undefined
  readonly offset?: number | undefined
  readonly cursor?: string | undefined
}

/** `usual`: how many rows are given where nobody says; the same for most lists. */
interface Limits {
  readonly max: number
  readonly usual?: number | undefined
}

/**
 * An endpoint that answers a list: `read` finds the page that was asked for, and `shape` says what is answered besides paging where that
 * is not the rows alone.
 */
export const answerList =
  <Request extends { readonly query: ListQuery }, Found extends Listed<unknown>, E, R, Data = Found["rows"], More extends object = object>(
    { max, usual = DEFAULT_LIMIT }: Limits,
    read: (request: Request, window: PageWindow) => Effect.Effect<Found, E, R>,
    shape: {
      readonly data?: (found: Found, request: Request) => Data
      readonly meta?: (found: Found, request: Request) => More
    } = {},
  ) =>
  (request: Request) => {
    const { cursor, ...query } = request.query
    const { limit, offset } = listPage({ ...query, limit: query.limit ?? usual }, max)
    return read(request, { limit, offset, cursor }).pipe(
      Effect.map((found) => ({
        success: true as const,
        data: (shape.data?.(found, request) ?? found.rows) as Data,
        meta: {
          ...pagingOf(pageAt(found.before, limit), found.rows.length, found.total),
          hasNext: found.next !== null,
          nextCursor: found.next,
          ...(shape.meta?.(found, request) as More),
        },
      })),
      tellUnread,
    )
  }

/** What is answered when a list cannot be read, or not from where it was asked for. */
export const tellUnread = <A, E, R>(read: Effect.Effect<A, E, R>) =>
  read.pipe(
    Effect.catchIf(isStoreError<E>, withoutStore),
    Effect.catchIf(isForeign, () => foreign),
  )

const isStoreError = <E>(error: E): error is E & StoreError => error instanceof StoreError
const isForeign = <E>(error: E): error is E & ForeignCursor => error instanceof ForeignCursor

const foreign = Effect.fail(
  ValidationError.because("cursor is not of this list in this order; begin without one, and send meta.nextCursor as it came", {
    parameter: "cursor",
  }),
)

/** `more`: what the endpoint's meta has besides paging. */
export const listed = <A, More extends object>(page: Page, rows: ReadonlyArray<A>, total: number, more: More = {} as More) => ({
  success: true as const,
  data: rows,
  meta: { ...pagingOf(page, rows.length, total), ...more },
})

/** Of a list that is always answered whole. */
export const wholePage = (rows: number): Page => ({ limit: Math.max(1, rows), offset: 0, page: 1 })

/** How much of a resource there is, for its meta. */
export const available = (dataAvailable: boolean) => ({
  dataAvailable,
  unavailableReason: dataAvailable ? null : ("not_yet_indexed" as const),
})

export const one = <A>(data: A) => ({ success: true as const, data, meta: {} })

/** Catch `StoreError` with this: the cause is logged, the client is told to try again. */
export const withoutStore = (error: StoreError): Effect.Effect<never, ServiceUnavailable> =>
  Effect.andThen(
    Effect.logError("the archive cannot be read", error),
    Effect.fail(ServiceUnavailable.because("the archive cannot be read at the moment; try again")),
  )
