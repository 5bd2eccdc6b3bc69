/**
 * Reads the settings of a process from its environment variables: the only code that does. A single error lists all
 * problems.
 */
import { Config, ConfigProvider, Effect } from "effect"
import { settings } from "./catalog.ts"
import { InvalidSettings } from "./InvalidSettings.ts"
import type { SettingText } from "./Setting.ts"
import { unknownNames } from "./unknownNames.ts"

/** Parsers of settings, by their keys in the catalog. */
export type SettingParsers = { readonly [K in keyof typeof settings]?: Config.Config<unknown> }

export type SettingValues<Parsers extends SettingParsers> = {
  readonly [K in keyof Parsers]: Parsers[K] extends Config.Config<infer A> ? A : never
}

/** Settings of every process. */
export const settingNames: ReadonlyArray<string> = Object.values(settings).map(({ name }) => name)

/** Variables of other commands and of the tests, which may be set in the same environment. */
const ofOthers = ["MATCHPOINT_DATA", "MATCHPOINT_KEY", "MATCHPOINT_WEBHOOK_SECRET"]

/**
 * Settings of other processes may be set too, because all may share one environment. Names that no process knows are
 * problems.
 */
export const readSettings = <Parsers extends SettingParsers>(parsers: Parsers) =>
  Effect.gen(function* () {
    const provider = yield* ConfigProvider.ConfigProvider
    const problems = [...(yield* invalidValues(provider, parsers)), ...(yield* unknownNames(provider, [...settingNames, ...ofOthers]))]
    if (problems.length > 0) return yield* new InvalidSettings({ problems })
    return yield* Config.all(parsers)
  })

const invalidValues = Effect.fnUntraced(function* (provider: ConfigProvider.ConfigProvider, parsers: SettingParsers) {
  const catalog: Readonly<Record<string, SettingText>> = settings
  const problems: Array<string> = []
  for (const [key, setting] of Object.entries(catalog)) {
    const parser = Object.hasOwn(parsers, key) ? parsers[key as keyof SettingParsers] : undefined
    if (parser === undefined || (yield* Effect.result(parser))._tag === "Success") continue
    problems.push(problemWith(setting, (yield* provider.load([setting.name]))?.value))
  }
  return problems
})

const LONGEST_VALUE = 100

const problemWith = ({ expected, isSecret, name }: SettingText, given: string | undefined): string => {
  if (given === undefined) return `${name} is required: ${expected}`
  return `${name} must be ${expected}${isSecret ? "" : `, not ${JSON.stringify(given.slice(0, LONGEST_VALUE))}`}`
}
