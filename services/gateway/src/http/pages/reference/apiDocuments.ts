/** The OpenAPI documents and the pages of the reference. A bundle contains them; from sources, a thread makes them. */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { Effect, Schema } from "effect"
import { type FixedAnswer, FOR_GOOD, fixedAnswer } from "../../responses/staticResponse.ts"
import { withKey } from "./docsKey.ts"

/** Texts by path. The names of scripts and styles contain a hash of their content. */
const ApiDocuments = Schema.Record(Schema.String, Schema.String)
export type ApiDocuments = typeof ApiDocuments.Type

const decodePrepared = Schema.decodeUnknownPromise(Schema.fromJsonString(ApiDocuments))

/** Responses by path. The pages send the API key `docsKey` unless the reader enters another one. */
export const apiDocuments = Effect.fnUntraced(function* (docsKey: string | null) {
  const texts = (yield* prepared) ?? (yield* textsFromThread)
  return new Map<string, FixedAnswer>(Object.entries(texts).map(([path, text]) => [path, answerOf(path, text, docsKey)] as const))
})

const answerOf = (path: string, text: string, docsKey: string | null): FixedAnswer => {
  const extension = extname(path)
  if (extension === ".json") return fixedAnswer(text, "application/json")
  if (extension === ".js") return fixedAnswer(text, "text/javascript; charset=utf-8", FOR_GOOD)
  if (extension === ".css") return fixedAnswer(text, "text/css; charset=utf-8", FOR_GOOD)
  return fixedAnswer(docsKey === null ? text : withKey(text, docsKey), "text/html; charset=utf-8")
}

const preparedFile = new URL("./prepared/documents.json", import.meta.url)

/** Undefined if this is not a bundle. */
const prepared = Effect.promise(async () => (existsSync(preparedFile) ? decodePrepared(await readFile(preparedFile, "utf8")) : undefined))

const textsFromThread = Effect.callback<ApiDocuments>((resume) => {
  const thread = new Worker(new URL("./makeDocuments.ts", import.meta.url), { execArgv: [] })
  thread.once("message", (texts) => resume(Effect.succeed(texts)))
  thread.once("error", (cause) => resume(Effect.die(new Error("the API documents cannot be made", { cause }))))
  return Effect.promise(() => thread.terminate())
})
