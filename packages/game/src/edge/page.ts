export interface Page {
  readonly page: number
  readonly limit: number
  readonly offset: number
}

/** Page numbers start at 1. A `limit` above the maximum is lowered to it. */
export const pageOf = (query: { readonly limit?: number | undefined; readonly page?: number | undefined }, max: number): Page => {
  const limit = Math.min(query.limit ?? max, max)
  const page = query.page ?? 1
  return { page, limit, offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER) }
}
