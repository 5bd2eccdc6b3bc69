/** Importable archives, in the order of `npm run import -- --help`. */
import { apexImports } from "@matchpoint/apex/feed/import/apexImports"
import { codImports } from "@matchpoint/cod/feed/import/codImports"
import { cs2Imports } from "@matchpoint/cs2/feed/import/cs2Imports"
import type { ImportSection } from "@matchpoint/game/feed/import/ImportSection"
import { tennisImports } from "@matchpoint/tennis/feed/import/tennisImports"
import type { Layer } from "effect"
import type { Repositories } from "./Repositories.ts"

export const importSections: ReadonlyArray<ImportSection<Layer.Success<typeof Repositories.layer>>> = [
  apexImports,
  codImports,
  cs2Imports,
  tennisImports,
]
