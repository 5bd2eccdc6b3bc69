/** Tests the API documents of a running server with the official tools of the specifications they follow. */
import { Parser } from "@asyncapi/parser"
import { assert, layer } from "@effect/vitest"
import { asyncApi, documentedMessages } from "@matchpoint/cs2/contract/asyncapi/asyncApi"
import { tennisChannels } from "@matchpoint/tennis/contract/asyncapi/tennisChannels"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Ajv } from "ajv"
import { Effect } from "effect"
import { memoryStack, Stack } from "../fixtures/stack.ts"

const text = (path: string) =>
  Effect.gen(function* () {
    const { url } = yield* Stack
    const answer = yield* Effect.promise(() => fetch(new URL(path, url)))
    assert.strictEqual(answer.status, 200)
    assert.include(answer.headers.get("content-type"), "application/json")
    return yield* Effect.promise(() => answer.text())
  })

/** Errors and warnings of the parser. Information and hints are ignored. */
const problemsIn = (source: string) =>
  Effect.map(
    Effect.promise(() => new Parser().parse(source)),
    ({ document, diagnostics }) => ({
      document,
      found: diagnostics.filter(({ severity }) => severity <= 1).map(({ code, path }) => `${code} at ${path.join(".")}`),
    }),
  )

layer(memoryStack, { excludeTestServices: true })("the documents of a running server", (it) => {
  it.effect("asyncapi.json passes the official parser without errors or warnings and names this server", () =>
    Effect.gen(function* () {
      const source = yield* text("/asyncapi.json")
      const { document, found } = yield* problemsIn(source)
      assert.deepStrictEqual(found, [])
      if (document === undefined) return assert.fail("the parser returned no document")
      assert.strictEqual(document.version(), "3.0.0")
      const { wsUrl } = yield* Stack
      const channel = document.allChannels().get("live")
      const server = channel?.servers().get("websocket")
      assert.strictEqual(`${server?.protocol()}://${server?.host()}${channel?.address()}`, `${wsUrl}/cs2/live/ws`)
      assert.strictEqual(document.allChannels().get("replay")?.address(), "/api/v1/cs2/live/{matchId}/replay")
      assert.strictEqual(document.allChannels().get("tennisLive")?.address(), "/api/v1/tennis/live/ws")
      assert.include(source, '"tennis.live.delta"')
      // The parser does report a broken document.
      const broken = yield* problemsIn(source.replace('"action":"receive"', '"action":"shout"'))
      assert.isNotEmpty(broken.found)
    }),
  )

  it.effect("every example matches the JSON Schema of its message, and fails without its first field", () =>
    Effect.sync(() => {
      const document = asyncApi({ host: "localhost", secure: false }, [tennisChannels])
      const ajv = new Ajv({ strict: false, validateFormats: false })
      for (const { name, examples } of [...documentedMessages, ...tennisChannels.messages]) {
        const fits = ajv.compile({ $ref: `#/components/messages/${name}/payload`, components: document.components })
        for (const example of examples) {
          assert.isTrue(fits(example), `${name}: ${ajv.errorsText(fits.errors)}`)
          const [first] = Object.keys(Object(example))
          assert.isFalse(fits({ ...Object(example), [first ?? ""]: undefined }), name)
        }
      }
    }),
  )

  it.effect("openapi.json is valid OpenAPI 3.1", () =>
    Effect.gen(function* () {
      const source = yield* text("/openapi.json")
      const result = yield* Effect.promise(() => new Validator().validate(JSON.parse(source)))
      assert.deepStrictEqual(result.valid ? [] : result.errors, [])
      assert.strictEqual(JSON.parse(source).openapi, "3.1.0")
      const broken = yield* Effect.promise(() => new Validator().validate({ ...JSON.parse(source), paths: { live: {} } }))
      assert.isFalse(broken.valid)
    }),
  )
})
