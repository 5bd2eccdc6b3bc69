/**
 * What lists of every game's archive have in common: paging that clamps, times, and errors. A `limit` above the maximum is reduced to
 * it; a page behind the last one is empty; both are no errors. The maximum of each list is its game's.
 */
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { pageQuery, paging, wholeNumber } from "./envelope.ts"
import { HistoryLimit, ServiceUnavailable, ValidationError } from "./errors.ts"
import { Instant } from "./instants.ts"

/** What a list answers with when no `limit` is asked for. */
export const DEFAULT_LIMIT = 50

/** `usual`: how many rows are given where nobody says. */
export const limitOf = (usual: number) =>
  Schema.optionalKey(
    pageQuery.limit.schema.annotate({ description: `How many rows, ${usual} unless told; more than the maximum is reduced to it` }),
  )

export const pagedQuery = { ...pageQuery, limit: limitOf(DEFAULT_LIMIT) } as const

/** `offset` counts rows from 0 and wins over `page`. */
export const offsetQuery = {
  ...pagedQuery,
  offset: Schema.optionalKey(
    wholeNumber({ minimum: 0 }).annotate({ description: "Rows before the first one that is given, counted from 0; wins over `page`" }),
  ),
} as const

/** `cursor` wins over `offset` and `page`. */
export const cursorQuery = {
  ...offsetQuery,
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[\w-]{1,1000}$/)).annotate({
      description: "`meta.nextCursor` of the page before, with the same filters: goes on behind its last row, whatever came in since",
    }),
  ),
} as const

/** Meta of lists that go on by cursor. */
export const cursorPaging = {
  ...paging,
  nextCursor: Schema.NullOr(Schema.String).annotate({ description: "`cursor` of the next page; null on the last one" }),
} as const
export const CursorPaging = Schema.Struct(cursorPaging).annotate({ identifier: "CursorPaging" })

/** `from` and `to`: inclusive. */
export const rangeQuery = { from: Schema.optionalKey(Instant), to: Schema.optionalKey(Instant) } as const

/** `true`, `1` and `yes`, or their opposites. */
export const Flag = Schema.Literals(["true", "1", "yes", "false", "0", "no"])
export type Flag = typeof Flag.Type
export const isOn = (flag: Flag | undefined): boolean => flag === "true" || flag === "1" || flag === "yes"

/** Every endpoint of the archive may fail so. */
export const archiveErrors = [HistoryLimit, ServiceUnavailable, ValidationError] as const

export const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })
