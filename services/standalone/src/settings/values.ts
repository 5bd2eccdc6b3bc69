/** The kinds of values that settings have, stricter than what `Config` takes: a misspelt value must not pass for another one. */
import { Config, Schema } from "effect"

/** A whole number within bounds. */
export const wholeNumber = (name: string, minimum: number, maximum: number) =>
  Config.schema(Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), name)

/** `true` or `false`, and no other word. */
export const flag = (name: string) => Config.map(Config.Literals(["true", "false"], name), (value) => value === "true")

/** A secret that cannot be guessed. */
export const token = (name: string) => Config.schema(Schema.Redacted(Schema.String.check(Schema.isMinLength(MIN_TOKEN_LENGTH))), name)

/** A shorter token could be guessed. */
export const MIN_TOKEN_LENGTH = 16

const isAddress = (protocols: ReadonlyArray<string>) => (text: string) => protocols.includes(URL.parse(text)?.protocol ?? "")

/** An address that may hold a password. */
export const secretAddress = (name: string, protocols: ReadonlyArray<string>) =>
  Config.schema(Schema.Redacted(Schema.String.check(Schema.makeFilter(isAddress(protocols)))), name)

export const address = (name: string, protocols: ReadonlyArray<string>) =>
  Config.schema(Schema.String.check(Schema.makeFilter(isAddress(protocols))), name)
