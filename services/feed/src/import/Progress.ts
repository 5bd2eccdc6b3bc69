import type { NumberedRejection, Tally } from "@matchpoint/game/feed/import/ImportSource"

export type ImportEvent =
  | { readonly type: "SourceBegun"; readonly source: string; readonly files: number }
  | { readonly type: "FileBegun"; readonly source: string; readonly file: string; readonly from: number }
  /** The file was imported before and has not changed. */
  | { readonly type: "FileSkipped"; readonly source: string; readonly file: string }
  /** `records` counts since the previous `BatchDone`. */
  | { readonly type: "BatchDone"; readonly source: string; readonly file: string; readonly records: number; readonly tally: Tally }
  | { readonly type: "Rejected"; readonly source: string; readonly file: string; readonly rejection: NumberedRejection }
  /** The rest of the file cannot be read. */
  | { readonly type: "FileRefused"; readonly source: string; readonly file: string; readonly reason: string }
  | { readonly type: "FileDone"; readonly source: string; readonly file: string }
  | { readonly type: "SourceDone"; readonly source: string; readonly summary: SourceSummary }
  /** Further data are computed, after all sources have been imported. `what` describes them for the user. */
  | { readonly type: "Deriving"; readonly what: string }
  /** `done` is the number of earlier steps, `steps` that of all. */
  | { readonly type: "DerivingStep"; readonly what: string; readonly name: string; readonly done: number; readonly steps: number }

export interface SourceSummary {
  readonly source: string
  /** `skipped` files were imported before and are unchanged. */
  readonly files: { readonly done: number; readonly skipped: number; readonly refused: number }
  /** Records read, including rejected ones. */
  readonly records: number
  readonly rejected: number
  readonly tally: Tally
  readonly milliseconds: number
}
