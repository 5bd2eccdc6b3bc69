/** Events and final counts of an import. Data only. */
import type { NumberedRejection, Tally } from "./ImportSource.ts"

export type ImportEvent =
  | { readonly type: "SourceBegun"; readonly source: string; readonly files: number }
  | { readonly type: "FileBegun"; readonly source: string; readonly file: string; readonly from: number }
  /** The file was imported before and has not changed. */
  | { readonly type: "FileSkipped"; readonly source: string; readonly file: string }
  /** `records` is the number of records processed since the previous event. */
  | { readonly type: "BatchDone"; readonly source: string; readonly file: string; readonly records: number; readonly tally: Tally }
  | { readonly type: "Rejected"; readonly source: string; readonly file: string; readonly rejection: NumberedRejection }
  /** The rest of the file is not read. */
  | { readonly type: "FileRefused"; readonly source: string; readonly file: string; readonly reason: string }
  | { readonly type: "FileDone"; readonly source: string; readonly file: string }
  | { readonly type: "SourceDone"; readonly source: string; readonly summary: SourceSummary }
  /** Follows all sources. `what` describes the current derivation for the user. */
  | { readonly type: "Deriving"; readonly what: string }

export interface SourceSummary {
  readonly source: string
  /** Files by outcome. `skipped` files were imported before. */
  readonly files: { readonly done: number; readonly skipped: number; readonly refused: number }
  /** Records read, including rejected ones. */
  readonly records: number
  readonly rejected: number
  readonly tally: Tally
  readonly milliseconds: number
}
