import { median } from "../../load/lib/statistics.ts"
import type { PauseSummary } from "./Verdict.ts"

/** Summarises the longest pause of each match. Zero for no matches. */
export const pauseSummary = (byMatch: Readonly<Record<string, number>>): PauseSummary => {
  const pauses = Object.values(byMatch)
  return pauses.length === 0
    ? { medianMs: 0, worstMs: 0 }
    : { medianMs: Math.round(median(pauses)), worstMs: Math.round(Math.max(...pauses)) }
}
