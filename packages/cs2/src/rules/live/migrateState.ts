import type { MatchState } from "./state.ts"

/** Undefined if this version cannot read the format. Format 2 lacked the fields for aliases, unresolved names and silence. */
export const migrateState = (format: number, state: unknown): MatchState | undefined => {
  if (format !== 2) return undefined
  // The stored state was written in format 2, so it lacks only the fields that were added later.
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
