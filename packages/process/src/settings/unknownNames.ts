/**
 * Finds environment variables that look like settings of this server but are unknown. Most of them are misspelled
 * names, which would otherwise go unnoticed.
 */
import type { ConfigProvider } from "effect"
import { Effect } from "effect"

const PREFIX = "MATCHPOINT"

/**
 * Matches the variables that Kubernetes sets in every container if there is a service named `matchpoint`. They are not
 * reported as unknown.
 */
const ofKubernetes = /^MATCHPOINT_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_[0-9]+_(?:TCP|UDP)(?:_[A-Z]+)?)?)$/

/** A known name is suggested for an unknown one if their edit distance is at most this value. */
const NEAR = 3

/**
 * Returns one error message for each environment variable that has this server's prefix but is not among the `known`
 * names.
 */
export const unknownNames = (provider: ConfigProvider.ConfigProvider, known: ReadonlyArray<string>) =>
  Effect.map(namesBelow(provider, [PREFIX]), (names) =>
    names
      .filter((name) => !known.includes(name) && !ofKubernetes.test(name))
      .map((name) => `${name} is not a known setting${suggestion(name, known)}`),
  )

const namesBelow = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>, ConfigProvider.SourceError> =>
  Effect.flatMap(provider.load(path), (node) => {
    if (node === undefined) return Effect.succeed([])
    const own = node.value === undefined || path.length === 1 ? [] : [path.join("_")]
    if (node._tag !== "Record") return Effect.succeed(own)
    const below = Effect.forEach(node.keys, (key) => namesBelow(provider, [...path, key]))
    return Effect.map(below, (names) => [...own, ...names.flat()])
  })

const suggestion = (name: string, known: ReadonlyArray<string>): string => {
  const nearest = known
    .map((candidate) => ({ candidate, distance: distanceBetween(name, candidate) }))
    .sort((one, two) => one.distance - two.distance)[0]
  return nearest === undefined || nearest.distance > NEAR ? "; docs/settings.md lists all settings" : `; did you mean ${nearest.candidate}?`
}

/**
 * Returns the Levenshtein distance of two strings: the smallest number of characters to insert, delete or replace to
 * turn one into the other.
 */
const distanceBetween = (one: string, two: string): number => {
  let row = Array.from({ length: two.length + 1 }, (_, column) => column)
  for (let line = 1; line <= one.length; line++) {
    const next = [line]
    for (let column = 1; column <= two.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (one[line - 1] === two[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[two.length] ?? 0
}
