/**
 * Handles that are told apart by their spelling alone. In the lists `NiKo` and `Niko` are two people for years on end, while `NOPEEj` and
 * `NOPEEJ` are one: spellings of a handle are one person when they have ever played with the same two, and otherwise not.
 */
import { handleKey } from "@matchpoint/domain/cs2/archive/names"

/** Players of line-ups before they are told apart; fed with all of them once. */
export class Spellings {
  private readonly spelled = new Map<string, Map<string, Set<string>>>()

  add(roster: ReadonlyArray<string>): void {
    for (const handle of roster) {
      const spellings = this.spelled.get(handleKey(handle)) ?? new Map<string, Set<string>>()
      this.spelled.set(handleKey(handle), spellings)
      const mates = spellings.get(handle) ?? new Set<string>()
      spellings.set(handle, mates)
      for (const mate of roster) if (mate !== handle) mates.add(handleKey(mate))
    }
  }

  /** The source's own key of him: the handle, or more where that names several people. */
  keyOf(handle: string): string {
    const spellings = this.spelled.get(handleKey(handle))
    const mates = spellings?.get(handle)
    if (spellings === undefined || mates === undefined || spellings.size === 1) return handle
    const one = [...spellings].filter(([, others]) => shares(others, mates)).map(([spelling]) => spelling)
    return one.length === spellings.size ? handle : `${one.toSorted()[0] ?? handle} (spelling)`
  }
}

/** Two of them, which is more than another homonym among the mates. */
const shares = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  let count = 0
  for (const mate of one) if (other.has(mate) && ++count === 2) return true
  return false
}
