/**
 * Assigns URL slugs to teams and players, of which several may have had the same name. The current holder of a name
 * gets the plain slug, without a number. The slugs of the others contain the number of the team or player.
 */
import { slugOf } from "./names.ts"

export interface SlugClaim {
  readonly number: number
  readonly name: string
  readonly slug: string
  /** Last match, in epoch milliseconds; null if there was none. */
  readonly lastAt: number | null
  readonly matches: number
}

/**
 * The plain slug passes to another holder of the name only if that one's last match is more than this many milliseconds
 * later than the current owner's. Otherwise, the slug could change owner with every match.
 */
export const SLUG_KEPT_MS = 60 * 86_400_000

/** The slugs that must change, by team or player number. `type` is the prefix if a name contains no letters. */
export const slugsToChange = (type: "team" | "player", claims: ReadonlyArray<SlugClaim>): ReadonlyMap<number, string> => {
  const changes = new Map<number, string>()
  const taken = new Set<string>()
  const plain = (claim: SlugClaim) => plainSlug(type, claim)
  const byName = Map.groupBy(claims, plain)
  for (const [slug, some] of byName) {
    const holder = holderOf(slug, some)
    for (const claim of some) {
      const wanted = claim === holder ? slug : `${slug}-${claim.number}`
      // The slug with the number may equal the plain slug of another name. Then a longer form is used.
      const free = wanted !== slug && (byName.has(wanted) || taken.has(wanted)) ? `${type}-${claim.number}-${slug}` : wanted
      taken.add(free)
      if (claim.slug !== free) changes.set(claim.number, free)
    }
  }
  return changes
}

/** `<type>-<number>` replaces a slug that looks like an id, because requests would parse it as an id. */
const plainSlug = (type: string, { name, number }: SlugClaim): string => {
  const slug = slugOf(name, `${type}-${number}`)
  return slug.startsWith("cs2-") ? `${type}-${number}` : slug
}

const holderOf = (slug: string, claims: ReadonlyArray<SlugClaim>): SlugClaim | undefined => {
  const [newest] = claims.toSorted((a, b) => lastAt(b) - lastAt(a) || b.matches - a.matches || a.number - b.number)
  const owner = claims.find((claim) => claim.slug === slug)
  return owner !== undefined && newest !== undefined && lastAt(newest) - lastAt(owner) <= SLUG_KEPT_MS ? owner : newest
}

/** Without a match, a time in the distant past. It is finite, so that the difference of two is 0 and not NaN. */
const lastAt = ({ lastAt }: SlugClaim): number => lastAt ?? -1e15
