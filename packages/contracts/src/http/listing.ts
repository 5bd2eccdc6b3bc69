/**
 * Query parameters, paging and errors of all archive lists. A `limit` above the maximum is reduced to it, and a page
 * beyond the last one is empty. A list with a cursor rejects pages that skip more than `MAX_OFFSET` rows. Each game
 * defines the maximum `limit` of its lists.
 */
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { pageQuery, paging, wholeNumber } from "./envelope.ts"
import { HistoryLimit, ServiceUnavailable, ValidationError } from "./errors.ts"
import { Instant } from "./instants.ts"

export const DEFAULT_LIMIT = 50

/**
 * Rows that `offset` or `page` of a list with a cursor may skip. The database reads skipped rows, so a deep page of a
 * million rows would take seconds.
 */
export const MAX_OFFSET = 10_000

/** `usual` is the default, which the description mentions. */
export const limitOf = (usual: number) =>
  Schema.optionalKey(
    pageQuery.limit.schema.annotate({ description: `Rows per page. Default ${usual}. Larger values than the maximum are reduced to it` }),
  )

export const pagedQuery = { ...pageQuery, limit: limitOf(DEFAULT_LIMIT) } as const

/** `offset`, the number of rows to skip, takes precedence over `page`. */
export const offsetQuery = {
  ...pagedQuery,
  offset: Schema.optionalKey(
    wholeNumber({ minimum: 0 }).annotate({ description: "Number of rows to skip, from 0. Takes precedence over `page`" }),
  ),
} as const

const deepest = `At most ${MAX_OFFSET} rows can be skipped; use \`cursor\` to read on`

/** `cursor` takes precedence over `offset` and `page`. */
export const cursorQuery = {
  ...offsetQuery,
  page: Schema.optionalKey(pageQuery.page.schema.annotate({ description: `Page number, from 1. ${deepest}` })),
  offset: Schema.optionalKey(
    offsetQuery.offset.schema.annotate({ description: `Number of rows to skip, from 0. Takes precedence over \`page\`. ${deepest}` }),
  ),
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[\w-]{1,1000}$/)).annotate({
      description:
        "`meta.nextCursor` of the previous page, with the same filters. Continues after the last row of that page, even if rows were added since",
    }),
  ),
} as const

export const cursorPaging = {
  ...paging,
  nextCursor: Schema.NullOr(Schema.String).annotate({ description: "`cursor` of the next page; null on the last page" }),
} as const
export const CursorPaging = Schema.Struct(cursorPaging).annotate({ identifier: "CursorPaging" })

/** Both ends are inclusive. A day without a time is included as a whole. */
export const rangeQuery = { from: Schema.optionalKey(Instant), to: Schema.optionalKey(Instant) } as const

export const Flag = Schema.Literals(["true", "1", "yes", "false", "0", "no"])
export type Flag = typeof Flag.Type
export const isOn = (flag: Flag | undefined): boolean => flag === "true" || flag === "1" || flag === "yes"

export const archiveErrors = [HistoryLimit, ServiceUnavailable, ValidationError] as const

export const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })
