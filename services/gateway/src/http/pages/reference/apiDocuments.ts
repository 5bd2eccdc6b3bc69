/** Makes the OpenAPI documents and the pages of the reference, in a thread. */
import { readFile } from "node:fs/promises"
import { Worker } from "node:worker_threads"
import { Effect } from "effect"
import { type FixedAnswer, FOR_GOOD, fixedAnswer } from "../../responses/staticResponse.ts"
import type { PageSettings } from "./referencePages.ts"

/** Returns the responses by path. Takes a second or two of CPU, and some tens of megabytes until the thread has ended. */
export const makeApiDocuments = Effect.fnUntraced(function* (docsKey: string | null) {
  const [script, style] = yield* Effect.promise(() => Promise.all([asset("reference.js", "javascript"), asset("reference.css", "css")]))
  const files = { script: `reference-${script.digest}.js`, style: `reference-${style.digest}.css` }
  const texts = yield* textsFromThread({ ...files, docsKey })
  return new Map<string, FixedAnswer>([
    ...Object.entries(texts).map(([path, text]) => [path, fixedAnswer(text, contentTypeOf(path))] as const),
    [`/docs/${files.script}`, script],
    [`/docs/${files.style}`, style],
  ])
})

const contentTypeOf = (path: string): string => (path.endsWith(".json") ? "application/json" : "text/html; charset=utf-8")

const asset = async (file: string, type: string): Promise<FixedAnswer> =>
  fixedAnswer(await readFile(new URL(file, import.meta.url), "utf8"), `text/${type}; charset=utf-8`, FOR_GOOD)

const textsFromThread = (settings: PageSettings) =>
  Effect.callback<Readonly<Record<string, string>>>((resume) => {
    const thread = new Worker(new URL("./documentsThread.ts", import.meta.url), { workerData: settings, execArgv: [] })
    thread.once("message", (texts) => resume(Effect.succeed(texts)))
    thread.once("error", (cause) => resume(Effect.die(new Error("the API documents cannot be made", { cause }))))
    return Effect.promise(() => thread.terminate())
  })
