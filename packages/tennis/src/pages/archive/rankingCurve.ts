/** Curve of a ranking: time to the right, rank 1 at the top. Logarithmic: 1 to 10 says as much as 100 to 1,000. */

export interface Ranked {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly rank: number
}

/** A mark on an axis. `at` is its place, 0 to 1 from the left or from the top. */
export interface Mark {
  readonly at: number
  readonly text: string
}

const DAY_MS = 86_400_000

/** Longest time between two lists that are connected by a line. */
const LONGEST_GAP_MS = 200 * DAY_MS

const MOST_YEARS = 8

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** Functions that place days and ranks, and the marks of both axes. The list must not be empty. */
export const scaleOf = (ranks: ReadonlyArray<Ranked>) => {
  const times = ranks.map(({ date }) => timeOf(date))
  const from = Math.min(...times)
  const to = Math.max(...times, from + DAY_MS)
  const worst = Math.max(10, ...ranks.map(({ rank }) => rank))
  const xOf = (time: number) => (time - from) / (to - from)
  const yOf = (rank: number) => Math.log(rank) / Math.log(worst)
  return { xOf, yOf, years: yearMarks(from, to, xOf), ranks: rankMarks(worst, yOf) }
}

const yearMarks = (from: number, to: number, xOf: (time: number) => number): ReadonlyArray<Mark> => {
  const first = new Date(from).getUTCFullYear() + 1
  const last = new Date(to).getUTCFullYear()
  const step = Math.max(1, Math.ceil((last - first + 1) / MOST_YEARS))
  const years = Array.from({ length: Math.max(0, Math.ceil((last - first + 1) / step)) }, (_, index) => first + index * step)
  return years.map((year) => ({ at: xOf(Date.UTC(year, 0, 1)), text: String(year) }))
}

const rankMarks = (worst: number, yOf: (rank: number) => number): ReadonlyArray<Mark> =>
  [1, 10, 100, 1000].filter((rank) => rank <= worst).map((rank) => ({ at: yOf(rank), text: String(rank) }))

/** Ranks are in any order. The line is interrupted where lists are missing. */
export const rankingPath = (ranks: ReadonlyArray<Ranked>, width: number, height: number): string => {
  const { xOf, yOf } = scaleOf(ranks)
  const sorted = [...ranks].sort((a, b) => a.date.localeCompare(b.date))
  return sorted
    .map(({ date, rank }, index) => {
      const before = sorted[index - 1]
      const isConnected = before !== undefined && timeOf(date) - timeOf(before.date) <= LONGEST_GAP_MS
      return `${isConnected ? "L" : "M"}${round(xOf(timeOf(date)) * width)} ${round(yOf(rank) * height)}`
    })
    .join("")
}

const round = (value: number) => Math.round(value * 10) / 10
