/** The progress line and the final table of an import. */
import type { StepBegun } from "@matchpoint/store/steps"
import type { SourceSummary } from "./Progress.ts"

/** Progress of the current source. */
export interface Running {
  readonly source: string
  readonly files: number
  readonly filesBehind: number
  readonly file: string
  readonly records: number
  readonly rejected: number
  readonly seconds: number
}

const BAR = 20

/** `standings  [######··············]  3/10 files  12,400 rows  5,120 rows/s  2 rejects matches.csv.gz` */
export const progressLine = ({ file, files, filesBehind, records, rejected, seconds, source }: Running): string => {
  const pace = seconds < 0.5 ? "" : `  ${count(records / seconds)} rows/s`
  return `${source}  ${barOf(filesBehind, files)}  ${filesBehind}/${files} files  ${count(records)} rows${pace}  ${count(rejected)} rejects  ${file}`
}

const barOf = (done: number, all: number): string => {
  const full = all === 0 ? BAR : Math.round((BAR * done) / all)
  return `[${"#".repeat(full)}${"·".repeat(BAR - full)}]`
}

/** `summaries  [##····]  37/130 steps  tournaments 1990 to before 1995` */
export const stepLine = ({ done, name, steps, what }: { readonly what: string } & StepBegun): string =>
  `${what}  ${barOf(done, steps)}  ${done}/${steps} steps  ${name}`

const columns = ["source", "files", "rows", "created", "updated", "unchanged", "rejected", "rows/s"] as const

/** A table with one row per source, and a row of totals if there are several. Records in skipped files are not counted. */
export const summaryTable = (summaries: ReadonlyArray<SourceSummary>): string => {
  const rows = summaries.map(rowOf)
  const table = [[...columns], ...rows, ...(rows.length > 1 ? [rowOf(totalOf(summaries))] : [])]
  const widths = columns.map((_, index) => Math.max(...table.map((row) => row[index]?.length ?? 0)))
  return table
    .map((row) =>
      row
        .map((cell, index) => pad(cell, widths[index] ?? 0, index))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

const rowOf = ({ files, milliseconds, records, rejected, source, tally }: SourceSummary): Array<string> => [
  source,
  filesOf(files),
  count(records),
  count(tally.created),
  count(tally.updated),
  count(tally.unchanged),
  count(rejected),
  records === 0 ? "-" : count(records / Math.max(milliseconds / 1000, 0.001)),
]

const filesOf = ({ done, refused, skipped }: SourceSummary["files"]): string =>
  [`${done}`, ...(skipped === 0 ? [] : [`${skipped} unchanged`]), ...(refused === 0 ? [] : [`${refused} failed`])].join(", ")

const totalOf = (summaries: ReadonlyArray<SourceSummary>): SourceSummary => {
  const sum = (of: (summary: SourceSummary) => number) => summaries.reduce((total, summary) => total + of(summary), 0)
  return {
    source: "all",
    files: { done: sum(({ files }) => files.done), skipped: sum(({ files }) => files.skipped), refused: sum(({ files }) => files.refused) },
    records: sum(({ records }) => records),
    rejected: sum(({ rejected }) => rejected),
    tally: {
      created: sum(({ tally }) => tally.created),
      updated: sum(({ tally }) => tally.updated),
      unchanged: sum(({ tally }) => tally.unchanged),
    },
    milliseconds: sum(({ milliseconds }) => milliseconds),
  }
}

const pad = (cell: string, width: number, column: number): string => (column < 2 ? cell.padEnd(width) : cell.padStart(width))

const count = (value: number): string => Math.round(value).toLocaleString("en")
