/**
 * A setting, stated once: the `Config` that reads it, and the source of documents and messages about invalid values.
 */
import { Config } from "effect"
import type { Value } from "./values.ts"

export interface SettingText {
  readonly name: string
  /** Follows the words "must be". */
  readonly expected: string
  /** The value is never printed. */
  readonly isSecret?: true | undefined
  /** Default, in words if it depends on other settings or on the process. */
  readonly fallback?: string | undefined
  /** Effect of the setting, in full sentences. */
  readonly description: string
  /** Page with the details, relative to `docs/operators/`. */
  readonly details?: string
}

export interface Setting<A> extends Config.Config<A>, SettingText {}

export const setting = <A>(
  name: string,
  { expected, isSecret, read }: Value<A>,
  { default: usual, ...texts }: Pick<SettingText, "fallback" | "description" | "details"> & { readonly default?: NoInfer<A> },
): Setting<A> =>
  Object.assign(usual === undefined ? read(name) : Config.withDefault(read(name), usual), {
    name,
    expected,
    isSecret,
    fallback: usual === undefined ? undefined : String(usual),
    ...texts,
  })
