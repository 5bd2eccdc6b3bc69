/**
 * Finds unknown environment variables that look like settings of this server. Most are misspelled names, which would
 * otherwise go unnoticed.
 */
import { nearestName } from "@matchpoint/domain/nearestName"
import type { ConfigProvider } from "effect"
import { Effect } from "effect"

const PREFIX = "MATCHPOINT"

/** Kubernetes sets these in every container if there is a service named `matchpoint`. */
const ofKubernetes = /^MATCHPOINT_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_[0-9]+_(?:TCP|UDP)(?:_[A-Z]+)?)?)$/

/** One message per variable with this server's prefix that is not `known`. */
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
  const nearest = nearestName(name, known)
  return nearest === undefined ? "; docs/operators/settings.md lists all settings" : `; did you mean ${nearest}?`
}
