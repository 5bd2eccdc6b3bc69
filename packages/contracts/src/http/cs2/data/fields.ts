/**
 * The query parameter `fields=id,name`, which reduces rows to the named fields and the id. An unknown name is an error
 * that lists the known ones.
 */
import { Schema } from "effect"

/** Returns the query parameter that selects fields of `row`. An empty list selects all fields. */
export const fieldList = (row: { readonly fields: Readonly<Record<string, unknown>> }) => {
  const known = Object.keys(row.fields)
  const example = known.slice(2, 5).join(",")
  return Schema.optionalKey(
    // The annotation must come before the check. In the opposite order, the OpenAPI document would not show the
    // description.
    Schema.String.annotate({ description: `Only these fields and \`id\`, separated by commas: \`${example}\`` }).check(
      Schema.makeFilter((list: string) => {
        const unknown = [...namesOf(list)].filter((name) => !known.includes(name))
        return unknown.length === 0 ? undefined : `unknown field ${unknown.join(", ")}; known fields: ${known.join(", ")}`
      }),
    ),
  )
}

/** Returns the names in the list as a set. */
export const namesOf = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  )
