/** Makes parts of documents in message format v2, which have no nulls: a field without a value is absent. */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"

/** An object with all its fields. Those that it can lack are null if they have no value. */
type WithNulls<A> = { readonly [Key in keyof A]-?: object extends Pick<A, Key> ? Exclude<A[Key], undefined> | null : A[Key] }

/**
 * Returns the object without the fields that are null. It takes every field of the result, so that the type checker finds
 * a field that is missing.
 */
export const withoutNulls = <A extends object>(part: WithNulls<NoInfer<A>>): A => {
  const fields = part as JsonObject
  const present: Record<string, unknown> = {}
  for (const key in fields) if (fields[key] !== null) present[key] = fields[key]
  return present as A
}
