/**
 * Assigns URL slugs to teams and players, some of which have had the same name, either at the same time or in
 * succession. The current holder of a name gets the plain slug, which is the slug without a number. The slugs of the
 * others contain the number of the team or player. Has no side effects.
 */
import { slugOf } from "./names.ts"

export interface SlugClaim {
  readonly number: number
  readonly name: string
  readonly slug: string
  /** Time of the last match that the team or player took part in, in epoch milliseconds; null if there was none. */
  readonly lastAt: number | null
  readonly matches: number
}

/**
 * The plain slug passes to another team or player with the same name only if that one's last match is more than this
 * many milliseconds later than the last match of the current owner. Without this tolerance, the slug could change owner
 * with every match.
 */
export const SLUG_KEPT_MS = 60 * 86_400_000

/**
 * Returns the slugs that must change, as a map from team or player number to new slug. `type` becomes the prefix of the
 * slug if a name contains no letters.
 */
export const slugsToChange = (type: "team" | "player", claims: ReadonlyArray<SlugClaim>): ReadonlyMap<number, string> => {
  const changes = new Map<number, string>()
  const taken = new Set<string>()
  const plain = (claim: SlugClaim) => plainSlug(type, claim)
  const byName = Map.groupBy(claims, plain)
  for (const [slug, some] of byName) {
    const holder = holderOf(slug, some)
    for (const claim of some) {
      const wanted = claim === holder ? slug : `${slug}-${claim.number}`
      // Here the slug with the appended number may be identical to the plain slug of another name, namely one that ends
      // in that number. In that case a longer form is used.
      const free = wanted !== slug && (byName.has(wanted) || taken.has(wanted)) ? `${type}-${claim.number}-${slug}` : wanted
      taken.add(free)
      if (claim.slug !== free) changes.set(claim.number, free)
    }
  }
  return changes
}

/**
 * Returns the slug of a name. A slug that looks like an id is replaced by `<type>-<number>`, because requests would
 * parse the slug as an id.
 */
const plainSlug = (type: string, { name, number }: SlugClaim): string => {
  const slug = slugOf(name, `${type}-${number}`)
  return slug.startsWith("cs2-") ? `${type}-${number}` : slug
}

const holderOf = (slug: string, claims: ReadonlyArray<SlugClaim>): SlugClaim | undefined => {
  const [newest] = claims.toSorted((a, b) => lastAt(b) - lastAt(a) || b.matches - a.matches || a.number - b.number)
  const owner = claims.find((claim) => claim.slug === slug)
  return owner !== undefined && newest !== undefined && lastAt(newest) - lastAt(owner) <= SLUG_KEPT_MS ? owner : newest
}

/**
 * Returns the time of the last match of a team or player. If there was no match, returns a time in the distant past.
 * That time is finite, so that the difference between two such times is 0 and not NaN.
 */
const lastAt = ({ lastAt }: SlugClaim): number => lastAt ?? -1e15
