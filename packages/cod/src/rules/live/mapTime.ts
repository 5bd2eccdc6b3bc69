import type { CurrentMap, MatchMap } from "./state.ts"

/** Facts may be this much earlier than the rules of the game allow, because feeds round times. */
export const TIME_TOLERANCE_MS = 5_000

/**
 * Time of play from the start of the map to an event, without pauses. Infinite if another feed reported the start,
 * because the clocks of two feeds are not compared.
 */
export const elapsedMs = (
  { pausedMs, startedAt }: MatchMap,
  { source }: CurrentMap,
  event: { readonly observedAt: number; readonly source: "main" | "backup" },
): number => (event.source !== source || startedAt === null ? Number.POSITIVE_INFINITY : event.observedAt - startedAt - pausedMs)
