/**
 * Parsers for the values of settings. They are stricter than those of Effect's `Config`, so that a misspelled value is
 * rejected instead of being read as a different value.
 */
import { makeAddressPolicy } from "@matchpoint/webhooks/addressPolicy"
import { Config, Redacted, Result, Schema } from "effect"

/** Parses an integer between the two bounds, inclusive. */
export const wholeNumber = (name: string, minimum: number, maximum: number) =>
  Config.schema(Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), name)

/** Parses a boolean that must be written exactly as `true` or `false`. */
export const flag = (name: string) => Config.map(Config.Literals(["true", "false"], name), (value) => value === "true")

/** Parses a secret token and rejects one that is short enough to be guessed. */
export const token = (name: string) => Config.schema(Schema.Redacted(Schema.String.check(Schema.isMinLength(MIN_TOKEN_LENGTH))), name)

/** Minimum length of a token, in characters. A shorter token could be guessed. */
export const MIN_TOKEN_LENGTH = 16

const isAddress = (protocols: ReadonlyArray<string>) => (text: string) => protocols.includes(URL.parse(text)?.protocol ?? "")

/** Parses a URL. The result is wrapped in `Redacted`, because the URL may contain a password. */
export const secretUrl = (name: string, protocols: ReadonlyArray<string>) =>
  Config.schema(Schema.Redacted(Schema.String.check(Schema.makeFilter(isAddress(protocols)))), name)

export const address = (name: string, protocols: ReadonlyArray<string>) =>
  Config.schema(Schema.String.check(Schema.makeFilter(isAddress(protocols))), name)

/** Parses URLs separated by commas. */
export const addresses = (name: string, protocols: ReadonlyArray<string>) => {
  const areAddresses = (text: string) => listOf(text).every(isAddress(protocols))
  return Config.map(Config.schema(Schema.String.check(Schema.makeFilter(areAddresses)), name), listOf)
}

const listOf = (text: string): ReadonlyArray<string> => text.split(",").map((item) => item.trim())

/** Parses secret tokens separated by commas. Each must be long enough that it cannot be guessed. */
export const tokens = (name: string) =>
  Config.map(
    Config.schema(
      Schema.Redacted(Schema.String.check(Schema.makeFilter((text) => listOf(text).every((item) => item.length >= MIN_TOKEN_LENGTH)))),
      name,
    ),
    (text): readonly [Redacted.Redacted<string>, ...ReadonlyArray<Redacted.Redacted<string>>] => {
      const [first = "", ...others] = listOf(Redacted.value(text))
      return [Redacted.make(first), ...others.map((item) => Redacted.make(item))]
    },
  )

/** Parses the prefixes of NAT64, separated by commas. */
export const nat64Prefixes = (name: string) => {
  const arePrefixes = (text: string) =>
    Result.isSuccess(makeAddressPolicy({ allowHttp: false, allowedNetworks: [], nat64Prefixes: listOf(text) }))
  return Config.map(Config.schema(Schema.String.check(Schema.makeFilter(arePrefixes)), name), listOf)
}

/** Parses networks in CIDR notation, or the word `loopback`, separated by commas. */
export const networks = (name: string) => {
  const areNetworks = (text: string) => Result.isSuccess(makeAddressPolicy({ allowHttp: false, allowedNetworks: listOf(text) }))
  return Config.map(Config.schema(Schema.String.check(Schema.makeFilter(areNetworks)), name), listOf)
}
