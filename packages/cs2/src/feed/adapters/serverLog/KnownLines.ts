/**
 * The lines of a log that have been read, so that repeated ones are recognised by their fingerprint, which includes the
 * time. The value is immutable, so sets are copied when they change: a small one for the newest lines, while full ones
 * are kept as they are.
 */

export interface KnownLines {
  readonly recent: Batch
  readonly older: ReadonlyArray<Batch>
  /**
   * Lines up to this time, by the log's clock, may have been read although they are not known: they are too old to be
   * kept, or gave no fact that could be restored after a restart.
   */
  readonly forgottenTo: number
}

interface Batch {
  readonly marks: ReadonlySet<string>
  /** Newest line of the batch, by the log's clock. */
  readonly newest: number
}

const BATCH_LINES = 256
/** Full batches that are kept: 16,384 lines, about two hours of a match. */
const MOST_BATCHES = 64

const emptyBatch: Batch = { marks: new Set(), newest: 0 }

export const noLines: KnownLines = { recent: emptyBatch, older: [], forgottenTo: 0 }

export const isKnown = ({ older, recent }: KnownLines, mark: string): boolean =>
  recent.marks.has(mark) || older.some(({ marks }) => marks.has(mark))

export const withLines = (known: KnownLines, lines: ReadonlyArray<{ readonly mark: string; readonly at: number }>): KnownLines => {
  let marks = new Set(known.recent.marks)
  let { newest } = known.recent
  let { forgottenTo, older } = known
  for (const { at, mark } of lines) {
    marks.add(mark)
    newest = Math.max(newest, at)
    if (marks.size < BATCH_LINES) continue
    older = [...older, { marks, newest }]
    marks = new Set()
    newest = 0
    if (older.length <= MOST_BATCHES) continue
    forgottenTo = Math.max(forgottenTo, older[0]?.newest ?? 0)
    older = older.slice(1)
  }
  return { recent: { marks, newest }, older, forgottenTo }
}

/** Adds a line that was read before a restart. Other lines up to its time are not known. */
export const restoredLine = (known: KnownLines, line: { readonly mark: string; readonly at: number }): KnownLines => ({
  ...withLines(known, [line]),
  forgottenTo: Math.max(known.forgottenTo, line.at),
})
