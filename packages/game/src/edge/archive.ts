/** Code shared by the archive endpoints: access by age of the data, paging, and errors when the database fails. */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { pagingOf } from "@matchpoint/contracts/http/envelope"
import { type HistoryLimit, ValidationError } from "@matchpoint/contracts/http/errors"
import { readInstant, readRangeEnd } from "@matchpoint/contracts/http/instants"
import { DEFAULT_LIMIT, MAX_OFFSET } from "@matchpoint/contracts/http/listing"
import { historyStart } from "@matchpoint/domain/plans"
import { historyError } from "@matchpoint/metering/entitlements"
import { ForeignCursor, type Listed, type PageWindow } from "@matchpoint/store/paging/listReader"
import { Clock, Effect } from "effect"
import { type Page, pageOf } from "./page.ts"
import { handlersWith, isStoreError, unavailable } from "./responses/unavailable.ts"

/**
 * Start of the time range that a list may show: the requested `from` or, if there is none, the earliest time to which
 * the caller's plan gives access. Undefined if neither limits the range. Fails if `from` is before that time or later
 * than `to`.
 */
export const since = Effect.fnUntraced(function* (
  from?: string,
  to?: string,
): Effect.fn.Return<Date | undefined, HistoryLimit | ValidationError, Caller> {
  if (from !== undefined && to !== undefined && readInstant(from) > readRangeEnd(to)) {
    return yield* ValidationError.because(`from (${from}) must not be later than to (${to})`, { from, to })
  }
  const caller = yield* Caller
  const now = yield* Clock.currentTimeMillis
  const start = historyStart(caller.plan, now)
  if (from !== undefined) {
    const at = readInstant(from)
    const refusal = historyError(caller, at, now)
    if (refusal !== undefined) return yield* refusal
    return dateAt(at)
  }
  return Number.isFinite(start) ? dateAt(start) : undefined
})

/** The type that SQL parameters use. */
export const dateAt = (at: number): Date => new Date(at)

/** Inclusive end of the requested time range, or undefined if it has none. A day is included as a whole. */
export const until = (to: string | undefined): Date | undefined => (to === undefined ? undefined : new Date(readRangeEnd(to)))

/** Fails if `at` is earlier than the data to which the caller's plan gives access. */
export const withinHistory = Effect.fnUntraced(function* (at: Date): Effect.fn.Return<void, HistoryLimit, Caller> {
  const refusal = historyError(yield* Caller, at.getTime(), yield* Clock.currentTimeMillis)
  if (refusal !== undefined) return yield* refusal
})

/** If the query has both `offset` and `page`, `offset` is used. */
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

/** Page sizes of a list. Without `usual`, the default of most lists applies. */
interface Limits {
  readonly max: number
  readonly usual?: number | undefined
  /** True for a short list without a cursor. Any page of it may be requested. */
  readonly isShort?: boolean
}

/**
 * Creates the handler of a list endpoint. By default, the response contains the rows and the pagination; `shape` can
 * replace the rows or add fields to `meta`. A page behind `MAX_OFFSET` rows is rejected unless a cursor leads to it or
 * the list is short, because the database reads all skipped rows.
 */
export const listHandler =
  <Request extends { readonly query: ListQuery }, Found extends Listed<unknown>, E, R, Data = Found["rows"], More extends object = object>(
    { max, usual = DEFAULT_LIMIT, isShort = false }: Limits,
    read: (request: Request, window: PageWindow) => Effect.Effect<Found, E, R>,
    shape: {
      readonly data?: (found: Found, request: Request) => Data
      readonly meta?: (found: Found, request: Request) => More
    } = {},
  ) =>
  (request: Request) => {
    const { cursor, ...query } = request.query
    const { limit, offset } = listPage({ ...query, limit: query.limit ?? usual }, max)
    if (!isShort && cursor === undefined && offset > MAX_OFFSET) return tooDeep(query, offset)
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
      mapReadErrors,
    )
  }

/** A read fails if the database fails or if the cursor belongs to another list. */
export const mapReadErrors = <A, E, R>(read: Effect.Effect<A, E, R>) =>
  read.pipe(
    Effect.catchIf(isStoreError<E>, storeUnavailable),
    Effect.catchIf(isForeign, () => foreign),
  )

const isForeign = <E>(error: E): error is E & ForeignCursor => error instanceof ForeignCursor

const foreign = Effect.fail(
  ValidationError.because("the cursor belongs to another list or order; start without a cursor, and send meta.nextCursor unchanged", {
    parameter: "cursor",
  }),
)

const tooDeep = ({ offset: given }: ListQuery, offset: number) => {
  const parameter = given === undefined ? "page" : "offset"
  return Effect.fail(
    ValidationError.because(
      `\`${parameter}\` skips ${offset} rows, and at most ${MAX_OFFSET} can be skipped; to read on, send meta.nextCursor of each page as \`cursor\``,
      { parameter, skipped: offset, max: MAX_OFFSET },
    ),
  )
}

/** `more` holds the fields of `meta` that do not concern paging. */
export const listed = <A, More extends object>(page: Page, rows: ReadonlyArray<A>, total: number, more: More = {} as More) => ({
  success: true as const,
  data: rows,
  meta: { ...pagingOf(page, rows.length, total), ...more },
})

/** Paging of a list that is always returned completely. */
export const wholePage = (rows: number): Page => ({ limit: Math.max(1, rows), offset: 0, page: 1 })

/** Fields of `meta` that show whether data of a resource is available. */
export const available = (dataAvailable: boolean) => ({
  dataAvailable,
  unavailableReason: dataAvailable ? null : ("not_yet_indexed" as const),
})

export const one = <A>(data: A) => ({ success: true as const, data, meta: {} })

/** The error asks the client to try again. Its cause is logged. */
export const storeUnavailable = unavailable("the archive cannot be read")

/** Makes handlers that read the archive: `reading(function* ({ params }) { ... })`. */
export const reading = handlersWith(storeUnavailable)
