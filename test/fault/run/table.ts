/** Prints verdicts for people: one line per run, a summary of several runs, and the findings. Pure. */
import { median } from "../../load/lib/statistics.ts"
import type { Verdict } from "./Verdict.ts"

const HEAD = [
  "scenario",
  "seed",
  "verdict",
  "pause before",
  "pause median",
  "pause worst",
  "facts/s",
  "frames",
  "reconnects",
  "second connects",
]

const row = ({ bills, clean, clients, feeds, pauses, scenario, seed }: Verdict): ReadonlyArray<string> => [
  scenario,
  String(seed),
  clean ? "clean" : "DIRTY",
  `${pauses.before.worstMs} ms`,
  `${pauses.fault.medianMs} ms`,
  `${pauses.fault.worstMs} ms`,
  String(feeds.factsPerSecond),
  String(clients.frames),
  String(bills.reduce((sum, { reconnects }) => sum + reconnects, 0)),
  String(bills.reduce((sum, { secondConnects }) => sum + secondConnects, 0)),
]

export const tableOf = (verdicts: ReadonlyArray<Verdict>): string => {
  const rows = [HEAD, ...verdicts.map(row)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
  return [...lines, ...summaryOf(verdicts), ...verdicts.flatMap(detailsOf)].join("\n")
}

const summaryOf = (verdicts: ReadonlyArray<Verdict>): ReadonlyArray<string> => {
  if (verdicts.length < 2) return []
  const worst = verdicts.map(({ pauses }) => pauses.fault.worstMs)
  const clean = verdicts.filter((verdict) => verdict.clean).length
  return [
    "",
    `${verdicts.length} runs, ${clean} clean. Longest pause of a run: median ${Math.round(median(worst))} ms, worst ${Math.max(...worst)} ms`,
  ]
}

const detailsOf = ({ findings, notes, seed }: Verdict): ReadonlyArray<string> => [
  "",
  ...notes.map((note) => `seed ${seed} note: ${note}`),
  ...findings.map((finding) => `seed ${seed} FINDING: ${finding}`),
]
