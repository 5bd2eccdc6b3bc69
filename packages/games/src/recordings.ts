/** The recordings that `npm run replay` plays. */
import { cs2Recordings } from "@matchpoint/cs2/feed/replay/cs2Recordings"
import type { RecordingFormats } from "@matchpoint/game/feed/replay/Recording"
import type { RecordingCheck } from "@matchpoint/game/feed/replay/RecordingCheck"
import { pointsCheck } from "@matchpoint/tennis/feed/replay/pointsCheck"
import { tennisRecordings } from "@matchpoint/tennis/feed/replay/tennisRecordings"

export const recordingFormats: ReadonlyArray<RecordingFormats> = [cs2Recordings, tennisRecordings]

/** For `npm run replay -- <file> --check`. Only the recordings of tennis contain their results. */
export const recordingChecks: ReadonlyArray<RecordingCheck> = [pointsCheck]
