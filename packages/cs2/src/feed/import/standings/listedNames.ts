/**
 * Index of the team names and line-ups in the dated lists of the standings. Used to find the name of a line-up, and the
 * line-up of a name, on a given day.
 */
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
   * Returns the line-up listed under a name on a day: from the first list on or after `day` that contains the name or,
   * if there is none, from the last list before `day`. If that list contains the name several times, the entry with the
   * better place is used. Returns an empty array if the name is unknown.
   */
  readonly rosterOn: (name: string, day: string) => ReadonlyArray<string>
}

/**
 * Builds an index of the team names and line-ups in the standings files. `companions` are the files that belong to the
 * imported file. If none of them is a standings file, the index is empty.
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
  // The sort is stable, so entries with the same date keep the order of the file, in which better places come first.
  for (const some of [...byRoster.values(), ...byName.values()]) some.sort((a, b) => a.date.localeCompare(b.date))

  /**
   * Returns the entry of the first list on or after the day, because that list describes the teams of that day best. If
   * there is none, returns the last entry before the day.
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
