/** Index of names and line-ups in the standings by date: the name of a line-up, and the line-up of a name. */
import { Effect, Stream } from "effect"
import { bytesOf } from "../../../import/files.ts"
import type { ImportFile } from "../../../import/ImportSource.ts"
import { csvRows } from "./csv.ts"
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
   * Returns the line-up that a name has in the first list after a day, at its best place. Returns an empty list if it
   * is unknown.
   */
  readonly rosterOn: (name: string, day: string) => ReadonlyArray<string>
}

/**
 * Builds the index. `companions` are those of the imported file; without the standings among them, the index is empty.
 */
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
  // The sort is stable: within a date, better places stay first, as in the file.
  for (const some of [...byRoster.values(), ...byName.values()]) some.sort((a, b) => a.date.localeCompare(b.date))

  /**
   * Returns the entry of the first list on or after the day, which describes the day best, otherwise the last one
   * before it.
   */
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
