/** The games that the commands of this service know: a line each. */
import type { Repositories } from "@matchpoint/store/Repositories"
import type { Layer } from "effect"
import { cs2Imports } from "./cs2/import/cs2Imports.ts"
import type { ImportSection } from "./import/ImportSection.ts"

export const importSections: ReadonlyArray<ImportSection<Layer.Success<typeof Repositories.layer>>> = [cs2Imports]
