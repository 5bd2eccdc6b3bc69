/** Recognizes team competitions, which have no bracket of players and no champion. */

/** Names of team competitions that their level does not mark. Valid in JavaScript and in SQL. */
export const teamNamePattern = "^(atp cup|united cup|laver cup|nations cup|hopman cup|wightman cup)| vs[.]? "

const teamNames = new RegExp(teamNamePattern, "iu")

/** Level `D`: Davis Cup and equivalents. The World Team Cup is the only round robin with more than one final. */
export const isTeamEvent = (
  { level, name }: { readonly level: string | null; readonly name: string | null },
  matches: ReadonlyArray<{ readonly round: string }>,
): boolean =>
  level === "D" ||
  teamNames.test(name ?? "") ||
  (matches.some(({ round }) => round === "RR") && matches.filter(({ round }) => round === "F").length > 1)
