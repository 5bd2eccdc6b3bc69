/**
 * Summary of what customers receive: one SHA-256 per match, channel and shape, over the texts as received. Log
 * positions and times of the run are replaced. Everything else counts, including the order of keys and the format of
 * numbers.
 */
import { createHash, type Hash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const file = fileURLToPath(new URL("digests.json", import.meta.url))

/**
 * If MATCHPOINT_WRITE_DIGESTS is set to any text, the run rewrites the file. If MATCHPOINT_DIGEST_LINES is set to a
 * folder, the run writes every line there.
 */
const { MATCHPOINT_DIGEST_LINES: linesFolder, MATCHPOINT_WRITE_DIGESTS: writeAnew } = process.env

/**
 * Fields that differ between two runs of the same code: time and position of a record in the log, age of a snapshot.
 */
const ofThisRun: ReadonlyArray<readonly [RegExp, string]> = [
  [/"(publishedAt|capturedAt|lastVerified|at)":"\d{4}-[^"]+"/g, '"$1":"T"'],
  [/"(position|age_ms)":\d+/g, '"$1":0'],
]

export const withoutRun = (text: string): string => ofThisRun.reduce((kept, [pattern, by]) => kept.replace(pattern, by), text)

interface Line {
  readonly hash: Hash
  readonly texts: Array<string> | undefined
  count: number
}

/** Digests by recording, then by name of the received data. */
type Stored = Readonly<Record<string, Readonly<Record<string, string>>>>

export class Digests {
  /** By recording, name of the data, and plan. */
  readonly #lines = new Map<string, Map<string, Map<string, Line>>>()

  /** Adds the next text that customers of a plan receive of a recording. */
  take(recording: string, what: string, plan: string, text: string): void {
    const line = entry(entry(entry(this.#lines, recording, newMap<Map<string, Line>>), what, newMap<Line>), plan, newLine)
    const kept = withoutRun(text)
    line.hash.update(kept).update("\n")
    line.texts?.push(kept)
    line.count += 1
  }

  /**
   * Returns the number of texts and the digest of all of them. Plans that receive the same share one entry. Otherwise
   * each plan has its own.
   */
  result(): Stored {
    return sorted(
      [...this.#lines].map(([recording, whats]) => [recording, sorted([...whats].flatMap(([what, plans]) => byPlan(what, plans)))]),
    )
  }

  /**
   * Returns the differences from the stored digests. Recordings that are not on this machine are skipped. Data without
   * a stored digest counts as a difference.
   */
  differences(): ReadonlyArray<string> {
    const now = this.result()
    if (linesFolder !== undefined) this.#keepLines(linesFolder)
    if (writeAnew !== undefined) {
      writeFileSync(file, `${JSON.stringify(now, null, 1)}\n`)
      return []
    }
    const stored: Stored = JSON.parse(readFileSync(file, "utf8"))
    return Object.entries(now).flatMap(([recording, whats]) => {
      const before = stored[recording] ?? {}
      return [...new Set([...Object.keys(whats), ...Object.keys(before)])]
        .filter((what) => before[what] !== whats[what])
        .map((what) => `${recording}, ${what}: stored ${before[what]}, now ${whats[what]}`)
    })
  }

  /** Message for a failed comparison. */
  static readonly advice =
    "To see the difference, run this test here and on the commit that wrote digests.json with MATCHPOINT_DIGEST_LINES=<folder> and compare " +
    "the folders. If the change is intended, rewrite the file with MATCHPOINT_WRITE_DIGESTS=1."

  #keepLines(folder: string): void {
    mkdirSync(folder, { recursive: true })
    for (const [recording, whats] of this.#lines) {
      for (const [what, plans] of whats) {
        for (const [plan, { texts }] of plans) {
          const name = `${recording} ${what} ${plan}`.replaceAll(/[^A-Za-z0-9._-]+/g, "_")
          writeFileSync(join(folder, `${name}.ndjson`), `${texts?.join("\n")}\n`)
        }
      }
    }
  }
}

const byPlan = (what: string, plans: ReadonlyMap<string, Line>): ReadonlyArray<readonly [string, string]> => {
  const digests = [...plans].map(([plan, { count, hash }]) => [plan, `${count} ${hash.copy().digest("hex").slice(0, 32)}`] as const)
  const first = digests[0]?.[1]
  if (first !== undefined && digests.every(([, digest]) => digest === first)) return [[what, first]]
  return digests.map(([plan, digest]) => [`${what}, ${plan}`, digest])
}

const newLine = (): Line => ({ hash: createHash("sha256"), texts: linesFolder === undefined ? undefined : [], count: 0 })
const newMap = <A>(): Map<string, A> => new Map()

const entry = <A>(map: Map<string, A>, key: string, make: () => A): A => {
  const found = map.get(key) ?? make()
  map.set(key, found)
  return found
}

const sorted = <A>(entries: ReadonlyArray<readonly [string, A]>): Readonly<Record<string, A>> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
