/** `fields=id,name`: answers with only the fields that are named, and the id. A name nobody knows is an error that lists the known ones. */
import { Schema } from "effect"

/** Query parameter that names fields of `row`; empty names none, which is all. */
export const fieldList = (row: { readonly fields: Readonly<Record<string, unknown>> }) => {
  const known = Object.keys(row.fields)
  const example = known.slice(2, 5).join(",")
  return Schema.optionalKey(
    // Told before the check: behind it the document would not show it.
    Schema.String.annotate({ description: `Only these fields, and \`id\`: a comma list such as \`${example}\`` }).check(
      Schema.makeFilter((list: string) => {
        const unknown = [...namesOf(list)].filter((name) => !known.includes(name))
        return unknown.length === 0 ? undefined : `there is no field ${unknown.join(", ")}; known are ${known.join(", ")}`
      }),
    ),
  )
}

/** The names in the list, in no order. */
export const namesOf = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  )
