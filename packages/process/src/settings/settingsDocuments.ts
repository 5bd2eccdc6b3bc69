/** `docs/operators/settings.md` and `.env.example`, from the settings catalog. */
import type { settingGroups as SettingGroups } from "./catalog.ts"
import type { SettingText } from "./Setting.ts"

type Groups = typeof SettingGroups

const GENERATED = "generated from the code by `node infra/run.mjs settings`"

export const settingsPage = (groups: Groups): string =>
  [
    "# Settings",
    "",
    "Environment variables of `npm start`. All of them are optional. If a value is invalid, or a `MATCHPOINT_` name is",
    "unknown, the start ends with exit code 1 and one line per problem. [`.env.example`](../../.env.example) lists all of",
    "them. The server reads no files: load yours with `set -a; . ./.env; set +a`.",
    "",
    `This page is ${GENERATED}.`,
    ...groups.flatMap(({ settings, title }) => [
      "",
      `## ${title}`,
      "",
      "| variable | default | |",
      "| --- | --- | --- |",
      ...settings.map(row),
    ]),
    "",
  ].join("\n")

const row = ({ description, details, fallback, name }: SettingText): string =>
  `| \`${name}\` | ${fallback ?? "none"} | ${description}${details === undefined ? "" : ` [Details](${details})`} |`

export const environmentExample = (groups: Groups): string =>
  [
    "# Settings of Matchpoint, all optional. Copy this file to .env, uncomment what you change, and load it before npm start:",
    "# set -a; . ./.env; set +a",
    `# This file is ${GENERATED}.`,
    ...groups.flatMap(({ settings, title }) => ["", `# ---- ${title} ----`, ...settings.flatMap(entry)]),
    "",
  ].join("\n")

/**
 * A default of one word becomes the value in the commented-out assignment. One of several words is a description and is
 * appended to the explanation above the assignment.
 */
const entry = ({ description, expected, fallback, name }: SettingText): ReadonlyArray<string> => {
  const isValue = fallback !== undefined && !fallback.includes(" ")
  const words = isValue || fallback === undefined ? "" : ` Default: ${fallback}.`
  return ["", `# ${description}`, `# Must be ${expected}.${words}`, `#${name}=${isValue ? fallback : ""}`]
}
