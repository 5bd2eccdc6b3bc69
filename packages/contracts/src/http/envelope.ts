/** `{ success: true, data, meta }`, `{ success: false, error }`, and paging. */
import { Schema, SchemaTransformation } from "effect"

export const success = <Data extends Schema.Top, Meta extends Schema.Top>(data: Data, meta: Meta) =>
  Schema.Struct({ success: Schema.Literal(true), data, meta })

export const NoMeta = Schema.Struct({})

/** `page` counts from 1. */
export const paging = {
  count: Schema.Natural,
  limit: Schema.Natural,
  total: Schema.Natural,
  page: Schema.Natural,
  totalPages: Schema.Natural,
  hasNext: Schema.Boolean,
  hasPrev: Schema.Boolean,
} as const

export const Paging = Schema.Struct(paging).annotate({ identifier: "Paging" })
export type Paging = typeof Paging.Type

/** `count` is the number of rows on this page, `total` that on all pages. */
export const pagingOf = ({ limit, page }: { readonly limit: number; readonly page: number }, count: number, total: number): Paging => {
  const totalPages = Math.ceil(total / limit)
  return { count, limit, total, page, totalPages, hasNext: page < totalPages, hasPrev: page > 1 && totalPages > 0 }
}

/** A `limit` above the maximum is reduced to it. A page beyond the last one is empty. */
export const paginate = <A>(
  items: ReadonlyArray<A>,
  query: { readonly limit?: number | undefined; readonly page?: number | undefined },
  bounds: { readonly max: number; readonly fallback: number },
): { readonly items: ReadonlyArray<A>; readonly meta: Paging } => {
  const limit = Math.min(query.limit ?? bounds.fallback, bounds.max)
  const page = query.page ?? 1
  const pageItems = items.slice((page - 1) * limit, page * limit)
  return { items: pageItems, meta: pagingOf({ limit, page }, pageItems.length, items.length) }
}

/** An integer in a query string: an optional minus sign and digits. */
export const wholeNumber = ({ minimum, maximum = Number.MAX_SAFE_INTEGER }: { readonly minimum: number; readonly maximum?: number }) =>
  Schema.String.check(Schema.isPattern(/^-?[0-9]+$/)).pipe(
    Schema.decodeTo(Schema.Finite.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), SchemaTransformation.numberFromString),
  )

const PositiveInt = wholeNumber({ minimum: 1 })

export const pageQuery = { limit: Schema.optionalKey(PositiveInt), page: Schema.optionalKey(PositiveInt) } as const
