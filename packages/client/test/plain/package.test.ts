/** Tests of what customers find in the package: a README without dead links, and the types of every game. */
import { readFileSync } from "node:fs"
import { assert, describe, expectTypeOf, it } from "vitest"
import { withoutDeadLinks } from "../../build.mjs"
import type { ApexMatch, CodMatch, Cs2Match, KnownGames, TennisMatch } from "../../src/client.ts"

describe("the package's README", () => {
  it("has no links to files that are not in the package", () => {
    const page = readFileSync(new URL("../../../../docs/customers/client.md", import.meta.url), "utf8")
    const targets = (markdown: string) => Array.from(markdown.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target)
    const isLocal = (target: string) => !/^([a-z]+:|#)/.test(target)
    assert.isNotEmpty(targets(page).filter(isLocal))
    assert.deepStrictEqual(targets(withoutDeadLinks(page)).filter(isLocal), [])
  })

  it("keeps the text of links, other links, and code", () => {
    const page = "[a](a.md) [b](https://b) [c](#c)\n\n```ts\nlist[0](x)\n```\n"
    assert.strictEqual(withoutDeadLinks(page), "a [b](https://b) [c](#c)\n\n```ts\nlist[0](x)\n```\n")
  })
})

describe("the entry point", () => {
  it("exports the match of every game that the client knows", () => {
    expectTypeOf<KnownGames["apex"]["v2"]["match"]>().toEqualTypeOf<ApexMatch>()
    expectTypeOf<KnownGames["cod"]["v2"]["match"]>().toEqualTypeOf<CodMatch>()
    expectTypeOf<KnownGames["cs2"]["v2"]["match"]>().toEqualTypeOf<Cs2Match>()
    expectTypeOf<KnownGames["tennis"]["v2"]["match"]>().toEqualTypeOf<TennisMatch>()
  })
})
