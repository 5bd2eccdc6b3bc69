/**
 * Catalog of the competitive CS2 maps, and when each was in the active duty pool.
 *
 * The dates come from the release notes of the game (counter-strike.net/news/updates): 2023-09-27 (release), 2024-04-25
 * (Dust II replaced Overpass), 2025-01-28 (Train replaced Vertigo), 2025-07-15 (Overpass replaced Anubis), 2026-01-22
 * (Anubis replaced Train). One date has another source: 2026-07-03 (Cache replaced Overpass) is the day of the season's
 * first match on Cache.
 */

/** Dates are `YYYY-MM-DD`. `removedAt` is null if the map is still in the pool. */
export interface PoolStay {
  readonly inPoolSince: string
  readonly removedAt: string | null
}

export interface CatalogMap {
  /** `de_<name>`. */
  readonly id: string
  readonly slug: string
  readonly name: string
  /** In lower case. */
  readonly aliases: ReadonlyArray<string>
  /** Oldest first. */
  readonly activeDuty: ReadonlyArray<PoolStay>
}

const RELEASE = "2023-09-27"

const map = (
  slug: string,
  name: string,
  activeDuty: ReadonlyArray<readonly [since: string, until: string | null]>,
  aliases: ReadonlyArray<string> = [],
): CatalogMap => ({
  id: `de_${slug}`,
  slug,
  name,
  aliases,
  activeDuty: activeDuty.map(([inPoolSince, removedAt]) => ({ inPoolSince, removedAt })),
})

export const cs2Maps: ReadonlyArray<CatalogMap> = [
  map("ancient", "Ancient", [[RELEASE, null]]),
  map("anubis", "Anubis", [
    [RELEASE, "2025-07-15"],
    ["2026-01-22", null],
  ]),
  map("basalt", "Basalt", []),
  map("cache", "Cache", [["2026-07-03", null]]),
  map("cbble", "Cobblestone", [], ["cobblestone", "cobble"]),
  map("dust2", "Dust II", [["2024-04-25", null]], ["dust 2", "dust ii", "dustii"]),
  map("edin", "Edin", []),
  map("inferno", "Inferno", [[RELEASE, null]]),
  map("mirage", "Mirage", [[RELEASE, null]]),
  map("nuke", "Nuke", [[RELEASE, null]]),
  map("overpass", "Overpass", [
    [RELEASE, "2024-04-25"],
    ["2025-07-15", "2026-07-03"],
  ]),
  map("thera", "Thera", []),
  map("train", "Train", [["2025-01-28", "2026-01-22"]]),
  map("tuscan", "Tuscan", []),
  map("vertigo", "Vertigo", [[RELEASE, "2025-01-28"]]),
]

const bySpelling = new Map(cs2Maps.flatMap((entry) => spellingsOf(entry).map((spelling) => [spelling, entry] as const)))

/** Accepts any spelling that sources use (`Dust2`, `de_dust2`, `Dust II`, `workshop/123/de_dust2`). */
export const mapNamed = (name: string): CatalogMap | undefined => bySpelling.get(baseName(name))

/** The game's id, derived from the name if it is not in the catalog. Undefined if the text cannot be a map name. */
export const mapIdOf = (name: string): string | undefined => {
  const known = mapNamed(name)
  if (known !== undefined) return known.id
  const slug = baseName(name)
    .replace(/^de_/, "")
    .replace(/[^a-z0-9]+/g, "_")
  return /^[a-z][a-z0-9_]{1,39}$/.test(slug) ? `de_${slug}` : undefined
}

/** `day` is `YYYY-MM-DD`. */
export const isActiveDuty = ({ activeDuty }: CatalogMap, day: string): boolean =>
  activeDuty.some(({ inPoolSince, removedAt }) => inPoolSince <= day && (removedAt === null || day < removedAt))

function spellingsOf({ aliases, id, name, slug }: CatalogMap): ReadonlyArray<string> {
  return [id, slug, name.toLowerCase(), ...aliases]
}

function baseName(name: string): string {
  const last = name.trim().toLowerCase()
  return last.slice(last.lastIndexOf("/") + 1).trim()
}
