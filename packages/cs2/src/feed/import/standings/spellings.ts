/**
 * Distinguishes players whose handles differ only in upper and lower case or similar details. In the standings, `NiKo`
 * and `Niko` are two people for many years, but `NOPEEj` and `NOPEEJ` are the same person. Two spellings are treated as
 * the same person if they have at least two teammates in common.
 */
import { handleKey } from "../../../rules/archive/names.ts"

/** All lineups must be added before the first key is requested. */
export class Spellings {
  private readonly keys = new Map<string, string>()
  private readonly spelled = new Map<string, Map<string, Set<string>>>()

  add(roster: ReadonlyArray<string>): void {
    const keys = roster.map((handle) => this.keyed(handle))
    for (const [index, handle] of roster.entries()) {
      const key = keys[index] ?? ""
      const spellings = this.spelled.get(key) ?? new Map<string, Set<string>>()
      this.spelled.set(key, spellings)
      const mates = spellings.get(handle) ?? new Set<string>()
      spellings.set(handle, mates)
      for (const [other, mate] of roster.entries()) if (mate !== handle) mates.add(keys[other] ?? "")
    }
  }

  /** Cached: normalizing costs more than a lookup, and every list contains the same few thousand handles. */
  private keyed(handle: string): string {
    const known = this.keys.get(handle)
    if (known !== undefined) return known
    const key = handleKey(handle)
    this.keys.set(handle, key)
    return key
  }

  /** The handle, with a suffix if its spellings belong to several people. Unique within this import source. */
  keyOf(handle: string): string {
    const spellings = this.spelled.get(this.keyed(handle))
    const mates = spellings?.get(handle)
    if (spellings === undefined || mates === undefined || spellings.size === 1) return handle
    const one = [...spellings].filter(([, others]) => shares(others, mates)).map(([spelling]) => spelling)
    return one.length === spellings.size ? handle : `${one.toSorted()[0] ?? handle} (spelling)`
  }
}

/** A single common teammate could be a coincidence, because two teammates may also have the same handle. */
const shares = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  let count = 0
  for (const mate of one) if (other.has(mate) && ++count === 2) return true
  return false
}
