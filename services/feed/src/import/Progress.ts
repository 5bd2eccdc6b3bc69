/** Types of the events and final counts of an import. */
import type { NumberedRejection, Tally } from "@matchpoint/game/feed/import/ImportSource"

export type ImportEvent =
  | { readonly type: "SourceBegun"; readonly source: string; readonly files: number }
  | { readonly type: "FileBegun"; readonly source: string; readonly file: string; readonly from: number }
  /** The file is skipped, because it was imported before and has not changed. */
  | { readonly type: "FileSkipped"; readonly source: string; readonly file: string }
  /** A batch was processed. `records` is the number of records since the previous `BatchDone` event. */
  | { readonly type: "BatchDone"; readonly source: string; readonly file: string; readonly records: number; readonly tally: Tally }
  | { readonly type: "Rejected"; readonly source: string; readonly file: string; readonly rejection: NumberedRejection }
  /** The rest of the file cannot be read. */
  | { readonly type: "FileRefused"; readonly source: string; readonly file: string; readonly reason: string }
  | { readonly type: "FileDone"; readonly source: string; readonly file: string }
  | { readonly type: "SourceDone"; readonly source: string; readonly summary: SourceSummary }
  /** The computation of further data starts, after all sources have been imported. `what` describes it for the user. */
  | { readonly type: "Deriving"; readonly what: string }
  /** A step of it begins. `done` is the number of steps before it, and `steps` the number of all. */
  | { readonly type: "DerivingStep"; readonly what: string; readonly name: string; readonly done: number; readonly steps: number }

export interface SourceSummary {
  readonly source: string
  /** Number of files by outcome. `skipped` counts files that were imported before and have not changed. */
  readonly files: { readonly done: number; readonly skipped: number; readonly refused: number }
  /** Number of records read, including rejected ones. */
  readonly records: number
  readonly rejected: number
  readonly tally: Tally
  readonly milliseconds: number
}
