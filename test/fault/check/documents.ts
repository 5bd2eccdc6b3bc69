/** Compares the documents that gateways serve with the expected ones. Pure. */
import type { ExpectedMatch } from "./expected.ts"

/** Returns the paths at which two JSON values differ, at most `limit`. */
export const differences = (actual: unknown, expected: unknown, limit = 5, path = ""): ReadonlyArray<string> => {
  if (Object.is(actual, expected)) return []
  if (isObject(actual) && isObject(expected)) {
    const keys = [...new Set([...Object.keys(actual), ...Object.keys(expected)])]
    return keys.flatMap((key) => differences(actual[key], expected[key], limit, path === "" ? key : `${path}.${key}`)).slice(0, limit)
  }
  return [`${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`]
}

/** A served document, or undefined if the gateway did not answer with one. */
export interface ServedDocument {
  readonly gateway: string
  readonly document: unknown
}

export const checkDocument = (expected: ExpectedMatch, { document, gateway }: ServedDocument): ReadonlyArray<string> => {
  if (document === undefined) return [`${gateway} does not serve ${expected.matchId}`]
  const found = differences(document, expected.document)
  return found.length === 0 ? [] : [`${gateway} serves another ${expected.matchId} than its facts give: ${found.join("; ")}`]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null
