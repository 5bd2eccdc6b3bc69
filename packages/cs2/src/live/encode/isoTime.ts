/**
 * Formats timestamps of match documents. A frame has several, mostly of the same day, so the formatted day is cached:
 * formatting through `Date` costs ten times as much.
 */

const DAY_MS = 86_400_000

/** The most recently formatted day: days since the epoch, and the text, such as `2026-03-01T`. */
let day = Number.NaN
let date = ""

/** Like `Date.prototype.toISOString`. `at` is a non-negative integer in epoch milliseconds. */
export const isoTime = (at: number): string => {
  const today = Math.floor(at / DAY_MS)
  if (today !== day) {
    date = new Date(at).toISOString().slice(0, -13)
    day = today
  }
  const ms = at - today * DAY_MS
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const rest = ms - seconds * 1000
  const thousandths = rest < 10 ? `00${rest}` : rest < 100 ? `0${rest}` : rest
  return `${date}${two(hours)}:${two(minutes % 60)}:${two(seconds % 60)}.${thousandths}Z`
}

const two = (n: number): string => pairs[n] ?? ""

const pairs = Array.from({ length: 60 }, (_, n) => (n < 10 ? `0${n}` : String(n)))
