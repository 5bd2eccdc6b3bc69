/**
 * What customers receive, in short: one SHA-256 per match, channel and shape, over the texts as they came. Positions in the log and
 * times of this run are replaced; everything else counts, the order of keys and the format of numbers too.
 */
import { createHash, type Hash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const file = fileURLToPath(new URL("digests.json", import.meta.url))

/** Set to any text: the file is written anew from this run. Set MATCHPOINT_DIGEST_LINES to a folder to keep every line of a run. */
const { MATCHPOINT_DIGEST_LINES: linesFolder, MATCHPOINT_WRITE_DIGESTS: writeAnew } = process.env

/** What two runs of the same code differ by: when the log took a record and where, the age of a snapshot. */
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

/** By recording, then by what was received. */
type Stored = Readonly<Record<string, Readonly<Record<string, string>>>>

export class Digests {
  /** By recording, what, and plan. */
  readonly #lines = new Map<string, Map<string, Map<string, Line>>>()

  /** Takes the next text of what customers of a plan receive of a recording. */
  take(recording: string, what: string, plan: string, text: string): void {
    const line = entry(entry(entry(this.#lines, recording, newMap<Map<string, Line>>), what, newMap<Line>), plan, newLine)
    const kept = withoutRun(text)
    line.hash.update(kept).update("\n")
    line.texts?.push(kept)
    line.count += 1
  }

  /** Number of texts and digest of all of them. Plans that receive the same share one entry; otherwise each plan has its own. */
  result(): Stored {
    return sorted(
      [...this.#lines].map(([recording, whats]) => [recording, sorted([...whats].flatMap(([what, plans]) => byPlan(what, plans)))]),
    )
  }

  /**
   * What is not as it is stored, and how. Recordings that are not on this machine are left out; what is not stored is a difference.
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

  /** What to do about a difference. */
  static readonly advice =
    "To see what differs, run this test here and on the commit that wrote digests.json with MATCHPOINT_DIGEST_LINES=<folder> and compare " +
    "the folders. If customers are meant to receive something else, write the file anew with MATCHPOINT_WRITE_DIGESTS=1."

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
