/** Tests that the served OpenAPI documents have the content of the generated one, and their sizes. */
import { brotliCompressSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { matchpointDocument } from "@matchpoint/games/api/MatchpointApi"
import { compactDocument } from "../../../src/http/openapi/compactDocument.ts"
import { documentSections, sectionDocument } from "../../../src/http/openapi/sectionDocument.ts"
import { pascal } from "../../../src/http/openapi/sharedParts.ts"
import { shortened } from "../../../src/http/openapi/sharedSchemas.ts"

const full = matchpointDocument()
const compact = compactDocument(full)

/** Puts every component that the generated document does not have back in its places. */
const expanded = (part: unknown): unknown => {
  if (typeof part !== "object" || part === null) return part
  if (Array.isArray(part)) return part.map(expanded)
  if ("$ref" in part && typeof part.$ref === "string") {
    const [, , kind = "", name = ""] = part.$ref.split("/")
    const components: Readonly<Record<string, Readonly<Record<string, unknown>>>> = compact.components
    const isGenerated = kind === "headers" || (kind === "schemas" && name in full.components.schemas)
    return isGenerated ? part : expanded(components[kind]?.[name])
  }
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, expanded(inner)]))
}

const sizes = (document: object) => {
  const text = JSON.stringify(document)
  return { bytes: Buffer.byteLength(text), compressed: brotliCompressSync(text).length }
}

describe("the served OpenAPI documents", () => {
  it("have every path, schema and example of the generated one", () => {
    const generated = shortened(full)
    for (const [path, methods] of Object.entries(generated.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const served = compact.paths[path]?.[method]
        assert.deepStrictEqual<unknown>({ security: compact.security, ...Object(expanded(served)) }, { ...operation }, `${method} ${path}`)
      }
    }
    assert.hasAllKeys(compact.paths, Object.keys(generated.paths))
    for (const [name, schema] of Object.entries(generated.components.schemas)) {
      assert.deepStrictEqual<unknown>(expanded(compact.components.schemas[name]), { ...schema }, name)
    }
  })

  it("are a fourth of the generated document, and less than 400 kB and 40 kB compressed for each section", () => {
    assert.isBelow(sizes(compact).bytes, sizes(full).bytes / 3.9)
    for (const section of documentSections) {
      const { bytes, compressed } = sizes(sectionDocument(compact, section))
      assert.isBelow(bytes, 400_000, section)
      assert.isBelow(compressed, 40_000, section)
    }
  })

  it("have each operation in one section, and each component that it needs", () => {
    const sections = documentSections.map((section) => sectionDocument(compact, section))
    const paths = sections.flatMap((section) => Object.keys(section.paths))
    assert.sameMembers(paths, Object.keys(compact.paths))
    for (const { components, paths } of sections) {
      const kinds: Readonly<Record<string, Readonly<Record<string, unknown>>>> = components
      for (const [, kind = "", name = ""] of JSON.stringify({ paths, components }).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
        assert.property(kinds[kind], name)
      }
    }
  })

  it("name a component after a game only if no other section uses it", () => {
    const sections = documentSections.map((section) => ({
      section,
      components: sectionDocument(compact, section).components as Readonly<Record<string, object>>,
    }))
    const wrong = Object.entries(compact.components).flatMap(([kind, parts]) =>
      Object.keys(parts).flatMap((name) => {
        const users = sections.filter(({ components }) => kind !== "securitySchemes" && name in Object(components[kind]))
        const named = ["cs2", "tennis", "cod", "apex"].filter((game) => new RegExp(`${pascal(game)}(?![a-z])`).test(name))
        return users.length > 1 && named.length > 0 ? [`${kind}/${name}: ${users.map(({ section }) => section).join(", ")}`] : []
      }),
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("write null as a type of scalars, and leave out bounds that every exact integer has", () => {
    const count = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
    assert.deepStrictEqual<unknown>(shortened({ anyOf: [count, { type: "null" }], description: "Rank" }), {
      type: ["integer", "null"],
      minimum: 0,
      description: "Rank",
    })
    const described = { anyOf: [{ type: "string", description: "An instant" }, { type: "null" }], description: "Its end" }
    assert.deepStrictEqual(shortened(described), described)
    const bounded = { type: "integer", minimum: 1, maximum: 9 }
    assert.deepStrictEqual(shortened(bounded), bounded)
  })
})
