/** Names of environment variables that look like settings of this server and are none: most often a typing error that would pass unnoticed. */
import type { ConfigProvider } from "effect"
import { Effect } from "effect"

const PREFIX = "MATCHPOINT"

/** Kubernetes gives every container such variables of a service with the name `matchpoint`. */
const ofKubernetes = /^MATCHPOINT_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_[0-9]+_(?:TCP|UDP)(?:_[A-Z]+)?)?)$/

/** Farther apart than this, two names have nothing to do with each other. */
const NEAR = 3

/** One line for each name with our prefix that is not among `known`. */
export const unknownNames = (provider: ConfigProvider.ConfigProvider, known: ReadonlyArray<string>) =>
  Effect.map(namesBelow(provider, [PREFIX]), (names) =>
    names
      .filter((name) => !known.includes(name) && !ofKubernetes.test(name))
      .map((name) => `${name} is no setting${suggestion(name, known)}`),
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
  return nearest === undefined || nearest.distance > NEAR ? "; docs/settings.md lists all of them" : `; did you mean ${nearest.candidate}?`
}

/** Levenshtein distance: characters to insert, delete or replace. */
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
