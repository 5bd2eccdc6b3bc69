/** Generates `docs/operators/metrics.md`. */
import { writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { catalog } from "./catalog.ts"
import { metricsDocument } from "./metricsDocument.ts"

await writeFile(fileURLToPath(new URL("../../../../docs/operators/metrics.md", import.meta.url)), metricsDocument(catalog))
