import type { TennisTournament } from "../../contract/http/data/tournamentModels.ts"

interface Period {
  readonly period: string
  readonly tournaments: ReadonlyArray<TennisTournament>
}

/** `tournaments` are sorted by start. A period is a month, `2024-01`, or the Monday of a week, `2024-01-01`. */
export const periodsOf = (tournaments: ReadonlyArray<TennisTournament>, by: "month" | "week"): ReadonlyArray<Period> => {
  const periods = Map.groupBy(tournaments, ({ starts_on }) => (by === "month" ? starts_on.slice(0, 7) : mondayOf(starts_on)))
  return [...periods].map(([period, group]): Period => ({ period, tournaments: group }))
}

const mondayOf = (day: string): string => {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
  return at.toISOString().slice(0, 10)
}
