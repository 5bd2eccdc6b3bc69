/**
 * Entry of the thread that makes the OpenAPI documents and the pages of the reference. It takes a second or two, during
 * which the server goes on. The thread posts one message, the texts by path, and ends.
 */
import { parentPort, workerData } from "node:worker_threads"
import { matchpointDocument } from "@matchpoint/contracts/http/MatchpointApi"
import { compactDocument } from "@matchpoint/contracts/http/openapi/compactDocument"
import { documentSections, sectionDocument } from "@matchpoint/contracts/http/openapi/sectionDocument"
import { shortened } from "@matchpoint/contracts/http/openapi/sharedSchemas"
import { contentsPage, type PageSettings, sectionPage } from "./referencePages.ts"

const settings: PageSettings = workerData
const full = matchpointDocument()
const served = compactDocument(full)
const reference = { description: full.info.description, paths: shortened(full.paths), headers: full.components.headers, served }

const texts: Readonly<Record<string, string>> = {
  "/openapi.json": JSON.stringify(served),
  "/docs": contentsPage(reference, settings),
  ...Object.fromEntries(
    documentSections.flatMap((section) => [
      [`/openapi/${section}.json`, JSON.stringify(sectionDocument(served, section))],
      [`/docs/${section}`, sectionPage(reference, section, settings)],
    ]),
  ),
}
parentPort?.postMessage(texts)
