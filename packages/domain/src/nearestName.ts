/** Suggests the known name that a misspelt one probably means, for settings and query parameters. */

/** Largest number of characters that differ. */
const NEAR = 3

/** Returns undefined if no known name is similar. Case and `_` do not matter. */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length > MAX_LENGTH) return undefined
  const nearest = known
    .map((candidate) => ({ candidate, distance: distanceBetween(plain(name), plain(candidate)) }))
    .sort((one, two) => one.distance - two.distance)[0]
  // In a short name, at most a third of the characters may differ. Otherwise all names of three letters would be similar.
  return nearest !== undefined && nearest.distance <= Math.min(NEAR, Math.ceil(nearest.candidate.length / 3))
    ? nearest.candidate
    : undefined
}

/** Longer names are not compared, because the time grows with the length. */
const MAX_LENGTH = 100

const plain = (name: string): string => name.toLowerCase().replaceAll("_", "")

/** Levenshtein distance. */
const distanceBetween = (one: string, two: string): number => {
  let row = Array.from({ length: two.length + 1 }, (_, column) => column)
  for (let line = 1; line <= one.length; line++) {
    const next = [line]
    for (let column = 1; column <= two.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (one[line - 1] === two[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[two.length] ?? 0
}
