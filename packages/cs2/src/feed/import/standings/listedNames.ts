/** Finds the name of a lineup, and the lineup of a name, on a given day in the dated lists of the standings. */
import { csvRows } from "@matchpoint/game/feed/import/csv"
import { bytesOf } from "@matchpoint/game/feed/import/files"
import type { ImportFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Stream } from "effect"
import { handlesOf, isKept } from "./listFields.ts"
import type { NameOn } from "./pairings.ts"

interface Listed {
  readonly date: string
  readonly name: string
  readonly roster: ReadonlyArray<string>
}

export interface Listings {
  readonly nameOn: NameOn
  /**
   * Reads the first list on or after `day` that contains the name or, if there is none, the last list before. If that
   * list contains the name several times, uses the entry with the better place. Empty if the name is unknown.
   */
  readonly rosterOn: (name: string, day: string) => ReadonlyArray<string>
}

/** `companions` are the files that belong to the imported file. If none is a standings file, the index is empty. */
export const listings = Effect.fn("import.standings.listings")(function* (companions: ReadonlyMap<string, ImportFile>) {
  const byRoster = new Map<string, Array<Listed>>()
  const byName = new Map<string, Array<Listed>>()
  const add = (index: Map<string, Array<Listed>>, key: string, listed: Listed) => {
    const known = index.get(key)
    if (known === undefined) index.set(key, [listed])
    else known.push(listed)
  }
  for (const file of companions.values()) {
    yield* csvRows(bytesOf(file)).pipe(
      Stream.filter((row) => isKept(row) && row.region === "global"),
      Stream.runForEach(({ date = "", roster, team = "" }) =>
        Effect.sync(() => {
          const listed = { date, name: team, roster: handlesOf(roster) }
          add(byRoster, keyOf(listed.roster), listed)
          add(byName, team, listed)
        }),
      ),
    )
  }
  // The sort is stable, so entries with the same date keep the order of the file, in which better places come first.
  for (const some of [...byRoster.values(), ...byName.values()]) some.sort((a, b) => a.date.localeCompare(b.date))

  /** The first list on or after the day describes the teams of that day best, otherwise the last one before. */
  const nextAfter = (some: ReadonlyArray<Listed>, day: string) => some.find(({ date }) => date >= day) ?? some.at(-1)
  return {
    nameOn: (roster, day, among) =>
      nextAfter(
        (byRoster.get(keyOf(roster)) ?? []).filter(({ name }) => among.has(name)),
        day,
      )?.name,
    rosterOn: (name, day) => nextAfter(byName.get(name) ?? [], day)?.roster ?? [],
  } satisfies Listings
})

const keyOf = (roster: ReadonlyArray<string>): string => roster.toSorted().join(", ")
