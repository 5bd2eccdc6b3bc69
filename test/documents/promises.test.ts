/** Tests that each promise under a fault is shown by tests and fault scenarios that exist. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { scenarios } from "../fault/scenarios/all.ts"
import { readPage, root } from "./pages.ts"
import { hasTitle, promisesIn, promisesPage } from "./promises.ts"

const promises = promisesIn(readPage(promisesPage))

/** Pages that say what happens under faults. */
const promising = [
  "docs/operators/processes.md",
  "docs/operators/operations.md",
  "docs/customers/streams.md",
  "docs/customers/webhooks.md",
  "docs/operators/webhooks.md",
  "docs/customers/metering.md",
]

/** Shows a capacity, not a promise. */
const withoutPromise = new Set(["capacity"])

describe("promises under faults", () => {
  it("are listed for every page that makes them", () => {
    assert.sameMembers([...new Set(promises.map(({ page }) => page))], promising)
  })

  it("are all read from the table, once each", () => {
    const rows = readPage(promisesPage).match(/^\| \[.*\]\(.*docs\//gm) ?? []
    assert.strictEqual(promises.length, rows.length)
    assert.strictEqual(new Set(promises.map(({ sentence }) => sentence)).size, rows.length)
  })

  it.each(promises)("$page: $sentence", ({ shownBy }) => {
    assert.isNotEmpty(shownBy)
    for (const { file, title } of shownBy) {
      assert.isTrue(existsSync(join(root, file)), file)
      assert.isTrue(hasTitle(readPage(file), title), `${file} has no "${title}"`)
    }
  })

  it("are shown by every fault scenario", () => {
    const named = new Set(promises.flatMap(({ shownBy }) => shownBy.map(({ title }) => title)))
    assert.deepStrictEqual(
      scenarios.map(({ name }) => name).filter((name) => !named.has(name) && !withoutPromise.has(name)),
      [],
    )
  })
})

describe("reading promises", () => {
  it("returns the page, the heading, and each test and scenario", () => {
    const row =
      '| [It goes on](../../docs/a.md#there) | [b](../e2e/b.test.ts) "starts"; [c](c.test.ts) "ends"; scenario [d](scenarios/e.ts) |'
    assert.deepStrictEqual(promisesIn(row), [
      {
        sentence: "It goes on",
        page: "docs/a.md",
        anchor: "there",
        shownBy: [
          { file: "test/e2e/b.test.ts", title: "starts" },
          { file: "test/fault/c.test.ts", title: "ends" },
          { file: "test/fault/scenarios/e.ts", title: "d" },
        ],
      },
    ])
  })

  it("finds whole titles only, with … for what a template fills in", () => {
    const source = 'it("starts", f)\nit(`ends after $' + "{time} s`, f)"
    assert.isTrue(hasTitle(source, "starts"))
    assert.isTrue(hasTitle(source, "ends after … s"))
    assert.isFalse(hasTitle(source, "start"))
    assert.isFalse(hasTitle(source, "ends after 5 s"))
  })
})
