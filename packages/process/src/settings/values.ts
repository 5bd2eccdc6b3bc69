/**
 * What is valid, how it is parsed, and how messages and documents describe it. Stricter than Effect's `Config`, so that
 * a misspelled value is rejected instead of being read as a different one.
 */
import { type AddressPolicySettings, makeAddressPolicy } from "@matchpoint/webhooks/addressPolicy"
import { Config, type Option, Redacted, Result, Schema } from "effect"

export interface Value<A> {
  /** Follows the words "must be". */
  readonly expected: string
  /** The value is never printed. */
  readonly isSecret?: true
  readonly read: (name: string) => Config.Config<A>
}

export const optional = <A>(value: Value<A>): Value<Option.Option<A>> => ({ ...value, read: (name) => Config.option(value.read(name)) })

const ofSchema = <A>(expected: string, schema: Schema.ConstraintCodec<A, unknown>): Value<A> => ({
  expected,
  read: (name) => Config.schema(schema, name),
})

/** Bounds are inclusive. */
export const wholeNumber = (minimum: number, maximum: number) =>
  ofSchema(
    `a whole number from ${minimum} to ${maximum}`,
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })),
  )

/** Bounds are inclusive. */
export const numberBetween = (minimum: number, maximum: number) =>
  ofSchema(`a number from ${minimum} to ${maximum}`, Schema.FiniteFromString.check(Schema.isBetween({ minimum, maximum })))

export const numberAboveZero = ofSchema("a number above 0", Schema.FiniteFromString.check(Schema.isGreaterThan(0)))

export const numberAboveZeroOrMax: Value<number | "max"> = {
  expected: "a number above 0, or max",
  read: (name) => Config.orElse(Config.Literal("max", name), () => numberAboveZero.read(name)),
}

const MAX_PORT = 65_535

/** 0: the operating system chooses the port. */
export const port = ofSchema(`a port, 0 to ${MAX_PORT}`, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX_PORT })))

/** Not empty. */
export const text = (expected: string) => ofSchema(expected, Schema.NonEmptyString)

export const oneOf = <const Words extends readonly [string, string, ...ReadonlyArray<string>]>(...words: Words) =>
  ofSchema(`${words.slice(0, -1).join(", ")} or ${words.at(-1)}`, Schema.Literals(words))

/** Exactly `true` or `false`. */
export const flag: Value<boolean> = {
  expected: "true or false",
  read: (name) => Config.map(Config.Literals(["true", "false"], name), (value) => value === "true"),
}

const passing = (isValid: (text: string) => boolean) => Schema.String.check(Schema.makeFilter(isValid))

const isAddress = (protocols: ReadonlyArray<string>) => (text: string) => protocols.includes(URL.parse(text)?.protocol ?? "")

/** A URL. */
export const address = (example: string, protocols: ReadonlyArray<string>) =>
  ofSchema(`an address such as ${example}`, passing(isAddress(protocols)))

/** A URL that may contain a password. */
export const secretAddress = (example: string, protocols: ReadonlyArray<string>): Value<Redacted.Redacted<string>> => ({
  ...ofSchema(`an address such as ${example}`, Schema.Redacted(passing(isAddress(protocols)))),
  isSecret: true,
})

const listOf = (text: string): ReadonlyArray<string> => text.split(",").map((item) => item.trim())

/** Separated by commas. */
const list = (expected: string, areValid: (items: ReadonlyArray<string>) => boolean): Value<ReadonlyArray<string>> => ({
  expected,
  read: (name) =>
    Config.map(
      Config.schema(
        passing((text) => areValid(listOf(text))),
        name,
      ),
      listOf,
    ),
})

/** URLs separated by commas. They may contain passwords. */
export const secretAddresses = (example: string, protocols: ReadonlyArray<string>): Value<ReadonlyArray<string>> => ({
  ...list(`an address such as ${example}, or several separated by commas`, (items) => items.every(isAddress(protocols))),
  isSecret: true,
})

const isPolicy = (settings: Partial<AddressPolicySettings>) =>
  Result.isSuccess(makeAddressPolicy({ allowHttp: false, allowedNetworks: [], ...settings }))

/** Networks in CIDR notation, or the word `loopback`. */
export const networks = list("networks such as 10.1.0.0/16, or loopback, separated by commas", (allowedNetworks) =>
  isPolicy({ allowedNetworks }),
)

export const nat64Prefixes = list("prefixes such as 2001:db8:64::/96, of 32, 40, 48, 56, 64 or 96 bits, separated by commas", (prefixes) =>
  isPolicy({ nat64Prefixes: prefixes }),
)

/** Characters. A shorter token could be guessed. */
export const MIN_TOKEN_LENGTH = 16

const Token = Schema.String.check(Schema.isMinLength(MIN_TOKEN_LENGTH))

export const token: Value<Redacted.Redacted<string>> = {
  ...ofSchema(`${MIN_TOKEN_LENGTH} characters or more; \`openssl rand -hex 24\` generates one`, Schema.Redacted(Token)),
  isSecret: true,
}

type Tokens = readonly [Redacted.Redacted<string>, ...ReadonlyArray<Redacted.Redacted<string>>]

/** Separated by commas. */
export const tokens: Value<Tokens> = {
  expected: `${MIN_TOKEN_LENGTH} characters or more, or several such keys separated by commas`,
  isSecret: true,
  read: (name) =>
    Config.map(Config.schema(Schema.Redacted(passing((text) => listOf(text).every(Schema.is(Token)))), name), (text): Tokens => {
      const [first = "", ...others] = listOf(Redacted.value(text))
      return [Redacted.make(first), ...others.map((item) => Redacted.make(item))]
    }),
}
