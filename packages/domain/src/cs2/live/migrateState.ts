/** Migrates states of older formats to the current one. Pure. */
import type { MatchState } from "./state.ts"

/**
 * Returns the migrated state, or undefined if this version cannot read the format. Format 2 had no aliases, unresolved
 * names or silence.
 */
export const migrateState = (format: number, state: unknown): MatchState | undefined => {
  if (format !== 2) return undefined
  // A match actor wrote this state in format 2. Only the fields that were added since are missing.
  const { teams, ...rest } = state as Omit<MatchState, "format" | "unresolvedNames" | "silence">
  return {
    ...rest,
    format: 3,
    teams: [
      { ...teams[0], aliases: [] },
      { ...teams[1], aliases: [] },
    ],
    unresolvedNames: [],
    silence: null,
  }
}
