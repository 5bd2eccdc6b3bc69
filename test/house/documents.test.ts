/** Tests parts of documents that repeat the code: tables of plans and of errors, close codes, links. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { errorStatus } from "@matchpoint/contracts/http/errors"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import { AddOn, Feature, Plan, type PlanTerms, planTerms } from "@matchpoint/domain/plans"
import { transcriptLimits } from "@matchpoint/transcripts/transcriptLimits"
import { documents, readPage as read, root } from "../documents/pages.ts"

const number = new Intl.NumberFormat("en-US")

/** Rows of the table in docs/customers/plans.md, with the cell of each plan. */
const rows: ReadonlyArray<readonly [title: string, cell: (terms: PlanTerms, plan: Plan) => string]> = [
  ["requests a month", ({ requestsPerMonth }) => number.format(requestsPerMonth)],
  ["requests a second, per key", ({ requestsPerSecond }) => number.format(requestsPerSecond)],
  ["archive", ({ historyDays }) => (historyDays === null ? "all" : `${historyDays} days`)],
  ["live data", ({ delaySeconds }) => (delaySeconds === 0 ? "real time" : `${delaySeconds} s behind`)],
  ["games", ({ games }) => games],
  ...Feature.literals.map((feature): (typeof rows)[number] => [
    `\`${feature}\``,
    ({ addOns, features }) => (features.includes(feature) ? "yes" : addOns.some((addOn) => addOn === feature) ? "add-on" : "no"),
  ]),
  ["live connections, per key", ({ connections }) => number.format(connections)],
  ["rooms per connection", ({ rooms }) => number.format(rooms)],
  ["replays at once, per key", ({ replays }) => number.format(replays)],
  ["keys", ({ keys }) => number.format(keys)],
  ["transcripts: longest video, minutes", (_, plan) => number.format(transcriptLimits[plan].maxDurationSeconds / 60)],
  ["transcripts: largest video, MB", (_, plan) => number.format(transcriptLimits[plan].maxBytes / 1_000_000)],
  ["transcripts in progress", (_, plan) => number.format(transcriptLimits[plan].openRequests)],
]

const plansTable = [
  `| | ${Plan.literals.join(" | ")} |`,
  `| --- |${" ---: |".repeat(Plan.literals.length)}`,
  ...rows.map(([title, cell]) => `| ${title} | ${Plan.literals.map((plan) => cell(planTerms[plan], plan)).join(" | ")} |`),
].join("\n")

/** Code and status of each table row that starts with a code. */
const codesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \|/gm), ([, code, status]) => `${code} ${status}`)

const prose = (text: string): string => text.replaceAll(/```[\s\S]*?```/g, "").replaceAll(/`[^`\n]*`/g, "")

const files = ["README.md", ...documents]

describe("documents", () => {
  it("docs/customers/plans.md has the current table of plans", () => {
    assert.include(read("docs/customers/plans.md"), plansTable, `the table should be\n${plansTable}\n`)
    for (const addOn of AddOn.literals) assert.include(read("docs/customers/plans.md"), `\`${addOn}\``)
  })

  it("docs/customers/errors.md has every code with its status, and no other", () => {
    const all = Object.entries(errorStatus).map(([code, status]) => `${code} ${status}`)
    assert.sameMembers([...codesIn(read("docs/customers/errors.md"))], all)
  })

  it("docs/customers/streams.md has every close code of this server", () => {
    const text = read("docs/customers/streams.md")
    for (const { code } of Object.values(closeCodes)) assert.include(text, `| ${code} |`)
  })

  it("no document contains a removed code", () => {
    for (const file of files) assert.notMatch(read(file), /\b(UNAUTHORIZED|BAD_REQUEST)\b/, file)
  })

  it.each(files)("the links of %s lead to existing files", (file) => {
    for (const [, target = ""] of prose(read(file)).matchAll(/\]\(([^)#]+?)(?:#[^)]*)?\)/g)) {
      if (!/^[a-z]+:/.test(target)) assert.isTrue(existsSync(join(root, dirname(file), target)), `${file}: ${target}`)
    }
  })
})
