/** `fields`: rows have only the named fields and the id. An unknown name is an error that lists the valid ones. */
import { Schema } from "effect"

/** An empty list selects all fields. */
export const fieldList = (row: { readonly fields: Readonly<Record<string, unknown>> }) => {
  const known = Object.keys(row.fields)
  const example = known.slice(2, 5).join(",")
  return Schema.optionalKey(
    // `annotate` before `check`: otherwise, the description is missing from the OpenAPI document.
    Schema.String.annotate({ description: `Only these fields and \`id\`, separated by commas: \`${example}\`` }).check(
      Schema.makeFilter((list: string) => {
        const unknown = [...namesOf(list)].filter((name) => !known.includes(name))
        return unknown.length === 0 ? undefined : `unknown field ${unknown.join(", ")}; known fields: ${known.join(", ")}`
      }),
    ),
  )
}

export const namesOf = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  )
