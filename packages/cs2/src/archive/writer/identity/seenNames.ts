/** Records the names that sources use for an entity, and selects the one to display: the newest, in its shortest spelling. */
import type { AnyKnown, Index, ReportedName } from "./Register.ts"

export const see = <K extends AnyKnown>(
  index: Index<K>,
  known: K,
  seen: { readonly source: string; readonly name: string; readonly nameKey: string; readonly at: number },
): void => {
  const id = `${seen.source}\n${seen.nameKey}`
  const old = known.names.get(id)
  const now: ReportedName = {
    source: seen.source,
    name_key: seen.nameKey,
    name: old === undefined ? seen.name : betterSpelling(old.name, seen.name),
    first_seen_at: Math.min(old?.first_seen_at ?? seen.at, seen.at),
    last_seen_at: Math.max(old?.last_seen_at ?? seen.at, seen.at),
    isStored: false,
  }
  const isNews =
    old === undefined || old.name !== now.name || old.first_seen_at !== now.first_seen_at || old.last_seen_at !== now.last_seen_at
  if (isNews) index.addName(known, now)
}

/** Undefined if there are no names. Does not depend on the order of the names. */
export const displayName = (names: Iterable<ReportedName>): { readonly name: string; readonly nameKey: string } | undefined => {
  const byKey = new Map<string, { readonly name: string; readonly nameKey: string; readonly lastAt: number }>()
  for (const { last_seen_at, name, name_key } of names) {
    const other = byKey.get(name_key)
    byKey.set(name_key, {
      nameKey: name_key,
      name: other === undefined ? name : betterSpelling(other.name, name),
      lastAt: Math.max(other?.lastAt ?? last_seen_at, last_seen_at),
    })
  }
  const [newest] = [...byKey.values()].sort((a, b) => b.lastAt - a.lastAt || (a.nameKey < b.nameKey ? -1 : 1))
  return newest
}

/** The shorter one, or else upper case: "Vitality" rather than "Team Vitality", "FURIA" rather than "furia". */
const betterSpelling = (a: string, b: string): string => (a.length !== b.length ? (a.length < b.length ? a : b) : a < b ? a : b)
