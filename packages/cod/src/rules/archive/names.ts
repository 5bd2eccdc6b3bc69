/** Identifies teams, players and tournaments by their names, because most sources have no ids, or only ids of their own. */

/** Such as `optic-texas`. Accents are removed. Empty if the name has no letter or digit of the Latin alphabet. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/[øØ]/gu, "o")
    .toLowerCase()
    .replace(/['’]/gu, "")
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/gu, "")
    .slice(0, LONGEST_SLUG)

const LONGEST_SLUG = 80

/** Handles are unique within the league: `2ReaL` is `2real`. */
export const playerIdOf = (handle: string): string => slugOf(handle)

/** Id such as `2026-kaysans-showdown-viii`. */
export const tournamentIdOf = (season: number, name: string): string => `${season}-${slugOf(name)}`
