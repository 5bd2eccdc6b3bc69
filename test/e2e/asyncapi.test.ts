/** The documents a server gives of itself, held to the specifications they follow by those specifications' own tools. */

import { Parser } from "@asyncapi/parser"
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
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

describe("the documents of a running server", () => {
  it.live("asyncapi.json is AsyncAPI: no error and no warning of the official parser, and it names this server", () =>
    Effect.gen(function* () {
      const { document, diagnostics } = yield* Effect.flatMap(text("/asyncapi.json"), (source) =>
        Effect.promise(() => new Parser().parse(source)),
      )
      // 0 and 1 are errors and warnings; information and hints are matters of taste.
      assert.deepStrictEqual(
        diagnostics.filter(({ severity }) => severity <= 1).map(({ code, message, path }) => ({ code, message, path: path.join(".") })),
        [],
      )
      if (document === undefined) return assert.fail("the parser made no document")
      assert.strictEqual(document.version(), "3.0.0")
      const { wsUrl } = yield* Stack
      const channel = document.allChannels().get("live")
      const server = channel?.servers().get("websocket")
      assert.strictEqual(`${server?.protocol()}://${server?.host()}${channel?.address()}`, `${wsUrl}/cs2/live/ws`)
      assert.strictEqual(document.allChannels().get("replay")?.address(), "/api/v1/cs2/live/{matchId}/replay")
    }).pipe(Effect.provide(memoryStack)),
  )

  it.live("openapi.json is OpenAPI 3.1", () =>
    Effect.gen(function* () {
      const source = yield* text("/openapi.json")
      const result = yield* Effect.promise(() => new Validator().validate(JSON.parse(source)))
      assert.deepStrictEqual(result.valid ? [] : result.errors, [])
      assert.strictEqual(JSON.parse(source).openapi, "3.1.0")
    }).pipe(Effect.provide(memoryStack)),
  )
})
