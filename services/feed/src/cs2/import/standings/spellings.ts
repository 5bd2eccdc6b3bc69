/**
 * Handles that are told apart by their spelling alone. In the lists `NiKo` and `Niko` are two people for years on end, while `NOPEEj` and
 * `NOPEEJ` are one: spellings of a handle are one person when they have ever played with the same two, and otherwise not.
 */
import { handleKey } from "@matchpoint/domain/cs2/archive/names"

/** Players of line-ups before they are told apart; fed with all of them once. */
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

  /** Folding a handle costs more than finding it, and the same few thousand come in every list. */
  private keyed(handle: string): string {
    const known = this.keys.get(handle)
    if (known !== undefined) return known
    const key = handleKey(handle)
    this.keys.set(handle, key)
    return key
  }

  /** The source's own key of him: the handle, or more where that names several people. */
  keyOf(handle: string): string {
    const spellings = this.spelled.get(this.keyed(handle))
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
