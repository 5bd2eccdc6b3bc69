/** `npm run replay -- <points.csv[.gz]> --check`: folds every match of a file and compares with its score column. */
import { UnreadableRecording } from "@matchpoint/game/feed/replay/Recording"
import type { RecordingCheck } from "@matchpoint/game/feed/replay/RecordingCheck"
import { Effect, Stream } from "effect"
import { type Comparison, compare, type ExceptionClass, exceptionClasses, lostPoints } from "./classify.ts"
import { pointRows } from "./pointRows.ts"

interface Counts {
  readonly total: number
  readonly equal: number
  readonly exceptions: ReadonlyMap<ExceptionClass, { readonly count: number; readonly restored: number }>
}

const none: Counts = { total: 0, equal: 0, exceptions: new Map() }

export const pointsCheck: RecordingCheck = {
  run: (path) => Effect.map(countsOf(path), linesOf),
}

/** Fails if the file has no match. */
export const countsOf = (path: string) =>
  pointRows(path).pipe(
    Stream.map(compare),
    Stream.runFold(() => none, added),
    Effect.filterOrFail(
      ({ total }) => total > 0,
      () => new UnreadableRecording({ message: `${path}: the file has no matches` }),
    ),
  )

const added = (counts: Counts, comparison: Comparison): Counts => {
  const total = counts.total + 1
  if (comparison._tag === "Equal") return { ...counts, total, equal: counts.equal + 1 }
  const { count, restored } = counts.exceptions.get(comparison.class) ?? { count: 0, restored: 0 }
  const next = { count: count + 1, restored: restored + (comparison.restored ? 1 : 0) }
  return { ...counts, total, exceptions: new Map(counts.exceptions).set(comparison.class, next) }
}

/** Exceptions by class, most frequent first, and the result as the last line. */
const linesOf = ({ equal, exceptions, total }: Counts): ReadonlyArray<string> => {
  const sorted = [...exceptions].sort(([, one], [, two]) => two.count - one.count)
  const restored = sorted.reduce((sum, [, one]) => sum + one.restored, 0)
  const lost = sorted.reduce((sum, [name, one]) => sum + (lostPoints.has(name) ? one.count : 0), 0)
  return [
    ...sorted.map(([name, one]) => {
      const note = one.restored === 0 ? "" : ` (${one.restored} equal if restored)`
      return `${String(one.count).padStart(8)}  ${name}: ${exceptionClasses[name]}${note}`
    }),
    ...(restored === 0 ? [] : [`${equal + restored} of ${total} equal if the lost points are restored from separators and winner`]),
    ...(lost === 0 ? [] : [`${equal} of ${total - lost} equal among the strings without lost points`]),
    `${equal} of ${total} scores equal`,
  ]
}
