/**
 * Types of settings. They are stricter than `Config`, so that a misspelt value is rejected and not read as another
 * value.
 */
import { Config, Schema } from "effect"

/** A whole number within bounds, inclusive. */
export const wholeNumber = (name: string, minimum: number, maximum: number) =>
  Config.schema(Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), name)

/** Exactly `true` or `false`. */
export const flag = (name: string) => Config.map(Config.Literals(["true", "false"], name), (value) => value === "true")

/** A secret that is long enough not to be guessed. */
export const token = (name: string) => Config.schema(Schema.Redacted(Schema.String.check(Schema.isMinLength(MIN_TOKEN_LENGTH))), name)

/** Shortest token, in characters. A shorter one could be guessed. */
export const MIN_TOKEN_LENGTH = 16

const isAddress = (protocols: ReadonlyArray<string>) => (text: string) => protocols.includes(URL.parse(text)?.protocol ?? "")

/** A URL that may contain a password. */
export const secretAddress = (name: string, protocols: ReadonlyArray<string>) =>
  Config.schema(Schema.Redacted(Schema.String.check(Schema.makeFilter(isAddress(protocols)))), name)

export const address = (name: string, protocols: ReadonlyArray<string>) =>
  Config.schema(Schema.String.check(Schema.makeFilter(isAddress(protocols))), name)
