/** Under which name the standings listed a line-up, by date. */
import { Effect, Stream } from "effect"
import { linesOf } from "../files.ts"
import type { ImportFile } from "../ImportSource.ts"
import { csvRows } from "./csv.ts"
import type { NameOn } from "./pairings.ts"
import { isKept } from "./rows.ts"

/** `companions`: of the list of series; without the standings nothing is known. */
export const listedNames = Effect.fn("import.standings.listedNames")(function* (companions: ReadonlyMap<string, ImportFile>) {
  const listed = new Map<string, Array<{ readonly date: string; readonly name: string }>>()
  for (const file of companions.values()) {
    yield* csvRows(linesOf(file)).pipe(
      Stream.filter((row) => isKept(row) && row.region === "global"),
      Stream.runForEach(({ date = "", roster = "", team = "" }) =>
        Effect.sync(() => {
          const key = keyOf(roster.split(", "))
          listed.set(key, [...(listed.get(key) ?? []), { date, name: team }])
        }),
      ),
    )
  }
  for (const names of listed.values()) names.sort((a, b) => a.date.localeCompare(b.date))

  /** The list made next after the day has the name of the day best; else the last one before it. */
  const nameOn: NameOn = (roster, day, among) => {
    const names = (listed.get(keyOf(roster)) ?? []).filter(({ name }) => among.has(name))
    return (names.find(({ date }) => date >= day) ?? names.at(-1))?.name
  }
  return nameOn
})

const keyOf = (roster: ReadonlyArray<string>): string => roster.toSorted().join(", ")
