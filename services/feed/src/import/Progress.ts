/** What the importer tells while it works, and what it has counted in the end. Data only. */
import type { NumberedRejection, Tally } from "./ImportSource.ts"

export type ImportEvent =
  | { readonly type: "SourceBegun"; readonly source: string; readonly files: number }
  | { readonly type: "FileBegun"; readonly source: string; readonly file: string; readonly from: number }
  /** Imported before, and the same since. */
  | { readonly type: "FileSkipped"; readonly source: string; readonly file: string }
  /** `records`: that are behind it since the event before. */
  | { readonly type: "BatchDone"; readonly source: string; readonly file: string; readonly records: number; readonly tally: Tally }
  | { readonly type: "Rejected"; readonly source: string; readonly file: string; readonly rejection: NumberedRejection }
  /** Nothing more is read of it. */
  | { readonly type: "FileRefused"; readonly source: string; readonly file: string; readonly reason: string }
  | { readonly type: "FileDone"; readonly source: string; readonly file: string }
  | { readonly type: "SourceDone"; readonly source: string; readonly summary: SourceSummary }
  /** After all sources; `what` is made now, for people. */
  | { readonly type: "Deriving"; readonly what: string }

export interface SourceSummary {
  readonly source: string
  /** Files by what became of them; `skipped`: imported before. */
  readonly files: { readonly done: number; readonly skipped: number; readonly refused: number }
  /** Records read, rejected ones included. */
  readonly records: number
  readonly rejected: number
  readonly tally: Tally
  readonly milliseconds: number
}
