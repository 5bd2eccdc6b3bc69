/** Check of a file of recorded matches without a server, run by `npm run replay -- <file> --check`. */
import type { Effect } from "effect"
import type { UnreadableRecording } from "./Recording.ts"

export interface RecordingCheck {
  /** Computes every match of the file and compares the results with the file. Returns the report as lines of text. */
  run(path: string): Effect.Effect<ReadonlyArray<string>, UnreadableRecording>
}
