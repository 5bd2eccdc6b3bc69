import type { CurrentMap, MatchMap } from "./state.ts"

/** Facts may be this much earlier than the rules of the game allow, because feeds round times. */
export const TIME_TOLERANCE_MS = 5_000

/** Play time since the map's start, without pauses. Infinite if another feed reported the start: its clock differs. */
export const elapsedMs = (
  { pausedMs, startedAt }: MatchMap,
  { source }: CurrentMap,
  event: { readonly observedAt: number; readonly source: "main" | "backup" },
): number => (event.source !== source || startedAt === null ? Number.POSITIVE_INFINITY : event.observedAt - startedAt - pausedMs)
