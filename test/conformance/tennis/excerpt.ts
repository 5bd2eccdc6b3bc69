/**
 * Writes an excerpt of an archive: every match and ranking of given players, and whole seasons. Small enough to be
 * imported by a test, and complete for the numbers that are compared.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { filesOf, type Tour } from "./archiveCsv.ts"

export interface Excerpt {
  /** Ids such as `atp_103819`. */
  readonly playerIds: ReadonlyArray<string>
  /** Seasons of the main tours that are copied as a whole. */
  readonly seasons: ReadonlyArray<readonly [Tour, number]>
}

/** The first cell of a line, which is the tournament in files of matches. */
const tournamentOf = (line: string): string => line.slice(0, line.indexOf(","))

/** Copies the lines of the excerpt from `dataDirectory` to the folder `to`. */
export const writeExcerpt = (dataDirectory: string, to: string, { playerIds, seasons }: Excerpt): void => {
  const folder = join(dataDirectory, "tennis")
  mkdirSync(to, { recursive: true })
  for (const tour of ["atp", "wta"] as const) {
    const numbers = playerIds.filter((id) => id.startsWith(tour)).map((id) => id.slice(4))
    // The numbers of players are the only cells of six digits.
    const ofPlayer = new RegExp(`(?:^|,)(?:${numbers.join("|")})(?:\\.0)?(?:,|$)`, "u")
    const whole = seasons.filter(([of]) => of === tour).map(([, year]) => `${tour}_matches_${year}.`)
    const files = [
      ...filesOf(join(folder, tour), new RegExp(`^${tour}_(?:players|matches_(?!doubles))`, "u")),
      ...filesOf(join(folder, "rankings"), new RegExp(`^${tour}_rankings_`, "u")),
    ]
    for (const file of files) {
      const name = basename(file).replace(/\.gz$/u, "")
      const bytes = readFileSync(file)
      const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")
      if (whole.some((start) => name.startsWith(start))) {
        writeFileSync(join(to, name), text)
        continue
      }
      const [header = "", ...lines] = text.split("\n")
      const own = lines.filter((line) => ofPlayer.test(line))
      // A tournament with several finals is a team competition, so the finals of the players' tournaments are kept too.
      const tournaments = new Set(own.map(tournamentOf))
      const kept = lines.filter((line) => ofPlayer.test(line) || (line.includes(",F,") && tournaments.has(tournamentOf(line))))
      if (kept.length > 0) writeFileSync(join(to, name), [header, ...kept].join("\n"))
    }
  }
}
