/** Everything that can be imported, in the order `all` imports it: what names entities best goes first. A new source is one line here. */
import type { ImportSource } from "./ImportSource.ts"
import { results } from "./results/results.ts"

export const sources = [results] as const

/** What the sources need, all together. */
export type SourceServices = (typeof sources)[number] extends ImportSource<infer R> ? R : never
