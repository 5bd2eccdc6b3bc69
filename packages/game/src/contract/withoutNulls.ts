/** In message format v2, a field without a value is absent. */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"

/** Fields that may be absent are null if they have no value. */
type WithNulls<A> = { readonly [Key in keyof A]-?: object extends Pick<A, Key> ? Exclude<A[Key], undefined> | null : A[Key] }

/** Takes every field of the result, so that the type checker finds one that is missing. */
export const withoutNulls = <A extends object>(part: WithNulls<NoInfer<A>>): A => {
  const fields = part as JsonObject
  const present: Record<string, unknown> = {}
  for (const key in fields) if (fields[key] !== null) present[key] = fields[key]
  return present as A
}
