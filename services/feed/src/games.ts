/** Lists the games that the commands of this service support. */
import type { Repositories } from "@matchpoint/store/Repositories"
import type { Layer } from "effect"
import { apexImports } from "./apex/import/apexImports.ts"
import { codImports } from "./cod/import/codImports.ts"
import { cs2Imports } from "./cs2/import/cs2Imports.ts"
import { cs2Recordings } from "./cs2/replay/cs2Recordings.ts"
import type { ImportSection } from "./import/ImportSection.ts"
import type { RecordingFormats } from "./replay/Recording.ts"
import type { RecordingCheck } from "./replay/RecordingCheck.ts"
import { tennisImports } from "./tennis/import/tennisImports.ts"
import { pointsCheck } from "./tennis/replay/pointsCheck.ts"
import { tennisRecordings } from "./tennis/replay/tennisRecordings.ts"

export const importSections: ReadonlyArray<ImportSection<Layer.Success<typeof Repositories.layer>>> = [
  apexImports,
  codImports,
  cs2Imports,
  tennisImports,
]

export const recordingFormats: ReadonlyArray<RecordingFormats> = [cs2Recordings, tennisRecordings]

/** Check of `npm run replay -- <file> --check`. Tennis is the only game with recordings that contain their results. */
export const recordingCheck: RecordingCheck = pointsCheck
