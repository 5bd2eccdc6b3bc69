/**
 * Makes the OpenAPI documents and the pages of the reference, in a second or two of CPU, and ends. As a thread it posts
 * the texts by path; as a process, with which a bundle is built, it prints them as JSON.
 */
import { readFileSync } from "node:fs"
import { parentPort } from "node:worker_threads"
import { compactDocument } from "@matchpoint/contracts/http/openapi/compactDocument"
import { documentSections, sectionDocument } from "@matchpoint/contracts/http/openapi/sectionDocument"
import { shortened } from "@matchpoint/contracts/http/openapi/sharedSchemas"
import { matchpointDocument } from "@matchpoint/games/api/MatchpointApi"
import { digestOf } from "../../responses/staticResponse.ts"
import type { ApiDocuments } from "./apiDocuments.ts"
import { contentsPage, sectionPage } from "./referencePages.ts"

const script = readFileSync(new URL("./reference.js", import.meta.url), "utf8")
const style = readFileSync(new URL("./reference.css", import.meta.url), "utf8")
const files = { script: `reference-${digestOf(script)}.js`, style: `reference-${digestOf(style)}.css` }

const full = matchpointDocument()
const served = compactDocument(full)
const reference = { description: full.info.description, paths: shortened(full.paths), headers: full.components.headers, served }

const texts: ApiDocuments = {
  "/openapi.json": JSON.stringify(served),
  "/docs": contentsPage(reference, files),
  ...Object.fromEntries(
    documentSections.flatMap((section) => [
      [`/openapi/${section}.json`, JSON.stringify(sectionDocument(served, section))],
      [`/docs/${section}`, sectionPage(reference, section, files)],
    ]),
  ),
  [`/docs/${files.script}`]: script,
  [`/docs/${files.style}`]: style,
}
if (parentPort === null) process.stdout.write(JSON.stringify(texts))
else parentPort.postMessage(texts)
