/**
 * Which entity of a name has the name's own slug. Pure. One name is borne by several teams or players, one after the other or at once. The
 * slug is that of the current holder; the others have their number behind it.
 */
import { slugOf } from "./names.ts"

export interface SlugClaim {
  readonly number: number
  readonly name: string
  readonly slug: string
  /** When it played last, epoch ms; null: never. */
  readonly lastAt: number | null
  readonly matches: number
}

/** An owner that has played within this of every other claimant keeps the slug, so that it does not change with every match. Ms. */
export const SLUG_KEPT_MS = 60 * 86_400_000

/** Slugs that are to change, by number. `type` begins the slug of a name that has no letters. */
export const slugsToChange = (type: "team" | "player", claims: ReadonlyArray<SlugClaim>): ReadonlyMap<number, string> => {
  const changes = new Map<number, string>()
  const taken = new Set<string>()
  const plain = (claim: SlugClaim) => plainSlug(type, claim)
  const byName = Map.groupBy(claims, plain)
  for (const [slug, some] of byName) {
    const holder = holderOf(slug, some)
    for (const claim of some) {
      const wanted = claim === holder ? slug : `${slug}-${claim.number}`
      // A name that ends in a number may be another's slug.
      const free = wanted !== slug && (byName.has(wanted) || taken.has(wanted)) ? `${type}-${claim.number}-${slug}` : wanted
      taken.add(free)
      if (claim.slug !== free) changes.set(claim.number, free)
    }
  }
  return changes
}

/** The name in an address. A slug that reads like an id would be taken for one. */
const plainSlug = (type: string, { name, number }: SlugClaim): string => {
  const slug = slugOf(name, `${type}-${number}`)
  return slug.startsWith("cs2-") ? `${type}-${number}` : slug
}

const holderOf = (slug: string, claims: ReadonlyArray<SlugClaim>): SlugClaim | undefined => {
  const [newest] = claims.toSorted((a, b) => lastAt(b) - lastAt(a) || b.matches - a.matches || a.number - b.number)
  const owner = claims.find((claim) => claim.slug === slug)
  return owner !== undefined && newest !== undefined && lastAt(newest) - lastAt(owner) <= SLUG_KEPT_MS ? owner : newest
}

/** Never: long before anything, and equal to itself. */
const lastAt = ({ lastAt }: SlugClaim): number => lastAt ?? -1e15
