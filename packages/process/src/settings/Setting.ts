/**
 * A setting is stated once: its name, its values, its default and what it does. It is the `Config` that reads it, and
 * the source of the documents and of the messages about invalid values.
 */
import { Config } from "effect"
import type { Value } from "./values.ts"

export interface SettingText {
  readonly name: string
  /** Description of a valid value, phrased to follow the words "must be". */
  readonly expected: string
  /** If true, the value of the setting is never printed. */
  readonly isSecret?: true | undefined
  /**
   * Default value of the setting, or a description in words if the default depends on other settings or on the process.
   * Absent if the setting has no default.
   */
  readonly fallback?: string | undefined
  /** What the setting does, in full sentences. */
  readonly description: string
  /** Page that describes the setting in detail, relative to `docs/operators/`. */
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
