/**
 * Tests that every page is reachable from the README, that links resolve, and that lines have at most 120 characters.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { anchorsOf, linksOf, pageFiles, proseLines, readPage, root } from "./pages.ts"

const LONGEST_LINE = 120

const reachable = (): ReadonlySet<string> => {
  const found = new Set(["README.md"])
  for (const file of found) {
    for (const link of linksOf(file, readPage(file))) if (link.file.endsWith(".md")) found.add(link.file)
  }
  return found
}

describe("pages", () => {
  it("are all reachable from the README", () => {
    const found = reachable()
    assert.deepStrictEqual(
      pageFiles.filter((file) => !found.has(file)),
      [],
    )
  })

  it.each(pageFiles)("%s: links lead to files and headings that exist", (file) => {
    for (const link of linksOf(file, readPage(file))) {
      assert.isTrue(existsSync(join(root, link.file)), link.file)
      if (link.anchor !== undefined) assert.include(anchorsOf(readPage(link.file)), link.anchor, link.file)
    }
  })

  it.each(pageFiles)("%s: lines have at most 120 characters", (file) => {
    const long = proseLines(readPage(file)).filter(([, text]) => text.length > LONGEST_LINE)
    assert.deepStrictEqual(long, [])
  })
})

describe("reading pages", () => {
  const page = "# A page's title, first\n\n[b](b.md#there) [c](../c.md) [d](https://d) [e](#here)\n\n```\n[f](f.md)\n```\n\n| [g](g.md) |\n"

  it("returns links to files of the repository, with their anchors", () => {
    assert.deepStrictEqual(linksOf("docs/a.md", page), [
      { file: "docs/b.md", anchor: "there" },
      { file: "c.md", anchor: undefined },
      { file: "docs/a.md", anchor: "here" },
      { file: "docs/g.md", anchor: undefined },
    ])
  })

  it("returns anchors of headings", () => assert.deepStrictEqual(anchorsOf(page), ["a-pages-title-first"]))

  it("returns numbered lines outside tables and code blocks", () => {
    assert.deepStrictEqual(
      proseLines(page)
        .filter(([, text]) => text !== "")
        .map(([line]) => line),
      [1, 3],
    )
  })
})
