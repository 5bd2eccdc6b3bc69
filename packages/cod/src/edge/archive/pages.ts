/** Pages of lists of matches, and the history of the caller's plan. */
import { listPage } from "@matchpoint/game/edge/archive"
import type { Page } from "@matchpoint/game/edge/page"
import { MATCH_LIMITS } from "../../contract/http/data/references.ts"

interface PageQuery {
  readonly limit?: number | undefined
  readonly page?: number | undefined
  readonly offset?: number | undefined
}

export const matchPage = (query: PageQuery): Page => listPage({ ...query, limit: query.limit ?? MATCH_LIMITS.usual }, MATCH_LIMITS.max)

/** `more` holds additional fields. */
export const matchList = <Row, More extends object>(
  { limit, offset, page }: Page,
  { rows, total }: { readonly rows: ReadonlyArray<Row>; readonly total: number },
  more: More,
) => {
  const hasMore = offset + rows.length < total && rows.length > 0
  return {
    success: true as const,
    count: rows.length,
    total,
    ...more,
    data: rows,
    pagination: {
      limit,
      offset,
      page,
      totalPages: Math.ceil(total / limit),
      hasMore,
      nextPage: hasMore ? page + 1 : null,
      nextOffset: hasMore ? offset + rows.length : null,
    },
  }
}

/** Last moment of a season. */
export const endOfSeason = (season: number): Date => new Date(`${season}-08-31T23:59:59.999Z`)
