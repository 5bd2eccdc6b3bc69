// Owns the generated archive that the import is measured with: files of the shape of a real archive, made of copies of
// the simulated tours. No recorded data is needed.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ArchiveLines } from "@matchpoint/tennis/simulator/season/archiveLines"
import { simulateTour } from "@matchpoint/tennis/simulator/season/tour"

const NOW = Date.parse("2024-12-30T12:00:00Z")

/** One of four files has the main tour. The others have lower circuits, whose matches have no statistics. */
const FULL_FILES = 4

/** Number of copies of the ranking lists. */
const RANKING_COPIES = 10

/** Columns that files of lower circuits have, but leave empty. */
const STATISTIC = /^(?:[wl]_.+|minutes)$/u

/** Writes at least `rows` matches, and players and rankings, into a folder. */
export const writeArchive = (folder: string, rows: number, seed: number): void => {
  mkdirSync(folder, { recursive: true })
  const lists = [...simulateTour({ seed, now: NOW })]
  for (const tour of ["atp", "wta"] as const) {
    const of = (kind: ArchiveLines["kind"]) => lists.filter((list) => list.tour === tour && list.kind === kind)
    const put = (name: string, header: string, lines: ReadonlyArray<string>) =>
      writeFileSync(join(folder, `${tour}_${name}.csv`), `${header}\n${lines.join("\n")}\n`)
    const [players, matches, rankings] = [of("players"), of("matches"), of("rankings")]
    const all = matches.flatMap(({ lines }) => lines)
    put("players", players[0]?.header ?? "", players[0]?.lines ?? [])
    const header = matches[0]?.header ?? ""
    const withoutStatistics = all.map((line) => blanked(header, line))
    for (let copy = 0; copy * all.length < rows / 2; copy += 1) {
      const isFull = copy % FULL_FILES === 0
      const circuit = isFull ? "" : tour === "atp" ? "futures_" : "qual_itf_"
      put(`matches_${circuit}${1900 + copy}`, header, copied(isFull ? all : withoutStatistics, copy))
    }
    for (let copy = 0; copy < RANKING_COPIES; copy += 1) {
      const lines = rankings.flatMap((list) => list.lines.map((line) => line.replace(/,90(\d{4}),/u, `,9${copy}$1,`)))
      put(`rankings_${copy}`, rankings[0]?.header ?? "", lines)
    }
  }
}

const blanked = (header: string, line: string): string => {
  const names = header.split(",")
  return line
    .split(",")
    .map((cell, index) => (STATISTIC.test(names[index] ?? "") ? "" : cell))
    .join(",")
}

/** Gives the tournaments of a copy their own ids. */
const copied = (lines: ReadonlyArray<string>, copy: number): ReadonlyArray<string> =>
  lines.map((line) => line.replace(/,(20\d\d)-(99\d{3}),/u, `,$1-${copy}-$2,`))
