/**
 * The query parameter `fields`, for example `fields=id,name`. If it is given, the rows of the response contain only the
 * named fields and the id. An unknown name is rejected with an error that lists the valid names.
 */
import { Schema } from "effect"

/** Returns the query parameter that selects fields of `row`. An empty list selects all fields. */
export const fieldList = (row: { readonly fields: Readonly<Record<string, unknown>> }) => {
  const known = Object.keys(row.fields)
  const example = known.slice(2, 5).join(",")
  return Schema.optionalKey(
    // Call `annotate` before `check`. In the opposite order, the description would be missing from the OpenAPI
    // document.
    Schema.String.annotate({ description: `Only these fields and \`id\`, separated by commas: \`${example}\`` }).check(
      Schema.makeFilter((list: string) => {
        const unknown = [...namesOf(list)].filter((name) => !known.includes(name))
        return unknown.length === 0 ? undefined : `unknown field ${unknown.join(", ")}; known fields: ${known.join(", ")}`
      }),
    ),
  )
}

/** Returns the field names in a comma-separated list, as a set. */
export const namesOf = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  )
