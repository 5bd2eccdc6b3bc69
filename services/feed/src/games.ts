/** Lists the games that the commands of this service support. */
import type { Repositories } from "@matchpoint/games/Repositories"
import type { Layer } from "effect"
import { apexImports } from "@matchpoint/apex/feed/import/apexImports"
import { codImports } from "@matchpoint/cod/feed/import/codImports"
import { cs2Imports } from "@matchpoint/cs2/feed/import/cs2Imports"
import { cs2Recordings } from "@matchpoint/cs2/feed/replay/cs2Recordings"
import type { ImportSection } from "@matchpoint/game/feed/import/ImportSection"
import type { RecordingFormats } from "@matchpoint/game/feed/replay/Recording"
import type { RecordingCheck } from "@matchpoint/game/feed/replay/RecordingCheck"
import { tennisImports } from "@matchpoint/tennis/feed/import/tennisImports"
import { pointsCheck } from "@matchpoint/tennis/feed/replay/pointsCheck"
import { tennisRecordings } from "@matchpoint/tennis/feed/replay/tennisRecordings"

export const importSections: ReadonlyArray<ImportSection<Layer.Success<typeof Repositories.layer>>> = [
  apexImports,
  codImports,
  cs2Imports,
  tennisImports,
]

export const recordingFormats: ReadonlyArray<RecordingFormats> = [cs2Recordings, tennisRecordings]

/** Check of `npm run replay -- <file> --check`. Tennis is the only game with recordings that contain their results. */
export const recordingCheck: RecordingCheck = pointsCheck
