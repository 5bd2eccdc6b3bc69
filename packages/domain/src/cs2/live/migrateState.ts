/** States of older formats as this version has them. Pure. */
import type { MatchState } from "./state.ts"

/** Undefined: this version cannot read the format. Format 2 had no aliases, no unresolved names, and did not know silence. */
export const migrateState = (format: number, state: unknown): MatchState | undefined => {
  if (format !== 2) return undefined
  // Written by the match's actor in format 2: what is missing is what was added since.
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
