/**
 * Assigns slugs if several teams or players have had the same name, at once or one after the other. Pure. The current
 * holder of the name gets the plain slug; the slugs of the others end in their number.
 */
import { slugOf } from "./names.ts"

export interface SlugClaim {
  readonly number: number
  readonly name: string
  readonly slug: string
  /** Time of the last match, epoch milliseconds; null if there was none. */
  readonly lastAt: number | null
  readonly matches: number
}

/**
 * The owner keeps the slug if its last match is at most this much older than that of any other claimant, in
 * milliseconds. Otherwise the slug would change with every match.
 */
export const SLUG_KEPT_MS = 60 * 86_400_000

/** Returns the slugs to change, by number. `type` is the prefix of slugs for names without letters. */
export const slugsToChange = (type: "team" | "player", claims: ReadonlyArray<SlugClaim>): ReadonlyMap<number, string> => {
  const changes = new Map<number, string>()
  const taken = new Set<string>()
  const plain = (claim: SlugClaim) => plainSlug(type, claim)
  const byName = Map.groupBy(claims, plain)
  for (const [slug, some] of byName) {
    const holder = holderOf(slug, some)
    for (const claim of some) {
      const wanted = claim === holder ? slug : `${slug}-${claim.number}`
      // A name that ends in a number can have the slug of another claim.
      const free = wanted !== slug && (byName.has(wanted) || taken.has(wanted)) ? `${type}-${claim.number}-${slug}` : wanted
      taken.add(free)
      if (claim.slug !== free) changes.set(claim.number, free)
    }
  }
  return changes
}

/** Returns the slug of a name. A slug that looks like an id is replaced, because requests would read it as an id. */
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
 * Time of the last match. A claimant without matches gets a finite time in the far past, so that two of them compare as
 * equal.
 */
const lastAt = ({ lastAt }: SlugClaim): number => lastAt ?? -1e15
