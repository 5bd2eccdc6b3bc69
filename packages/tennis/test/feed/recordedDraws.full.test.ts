/** Reconstructs all draws of a real archive. Prints how many are complete. Needs the recorded data. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { filesIn, textOf } from "@matchpoint/testing/recordedData"
import { inject } from "vitest"
import { type Circuit, matchReader, type Tour } from "../../src/rules/archive/archiveRows.ts"
import { computedColumns, singlesColumns } from "../../src/rules/archive/columns.ts"
import { buildDraw, type Draw, type DrawTournament, type RoundMatch } from "../../src/rules/archive/draw/draw.ts"
import type { Cell } from "../../src/rules/archive/readLine.ts"

const dataDirectory = inject("dataDirectory")
if (dataDirectory === null) process.stdout.write("recorded tennis draws: skipped, the recorded data is missing\n")

interface Edition extends DrawTournament {
  readonly decade: string
  readonly matches: Array<RoundMatch>
}

const columns: ReadonlyArray<string> = [...computedColumns, ...singlesColumns.map(({ name }) => name)]
const at = (cells: ReadonlyArray<Cell>, name: string): Cell => cells[columns.indexOf(name)] ?? null
const textAt = (cells: ReadonlyArray<Cell>, name: string): string | null => at(cells, name) as string | null
const numberAt = (cells: ReadonlyArray<Cell>, name: string): number | null => at(cells, name) as number | null

const matchOf = (id: string, cells: ReadonlyArray<Cell>): RoundMatch => ({
  id,
  number: numberAt(cells, "match_number"),
  round: String(at(cells, "round")),
  winner: { id: String(at(cells, "winner_id")), seed: textAt(cells, "winner_seed") },
  loser: { id: String(at(cells, "loser_id")), seed: textAt(cells, "loser_seed") },
})

const circuits: Readonly<Record<string, Circuit>> = {
  "": "tour",
  _amateur: "amateur",
  _futures: "futures",
  _qual_chall: "qual_chall",
  _qual_itf: "qual_itf",
}

const fileName = /^(?:atp|wta)_matches(|_amateur|_futures|_qual_chall|_qual_itf)(?:_(\d{4}))?\.csv\.gz$/u

/** Reads the files of a tour, one year at a time, and passes the tournaments of each year on. */
const eachYear = (tour: Tour, use: (editions: Iterable<Edition>) => void): void => {
  const folder = join(dataDirectory ?? "", "tennis", tour)
  const files = filesIn(folder).flatMap((name) => {
    const [, kind, year = "amateur"] = fileName.exec(name) ?? []
    const circuit = kind === undefined ? undefined : circuits[kind]
    return circuit === undefined ? [] : [{ name, circuit, year }]
  })
  for (const group of Map.groupBy(files, ({ year }) => year).values()) {
    const editions = new Map<string, Edition>()
    const known = new Set<string>()
    for (const { circuit, name } of group) {
      const [header = "", ...lines] = textOf(folder, name).split(/\r?\n/u).filter(Boolean)
      const reader = matchReader(header, tour, circuit)
      if (typeof reader === "string") throw new Error(`${name}: ${reader}`)
      for (const line of lines) {
        const row = reader(line)
        if (typeof row === "string" || known.has(row.id)) continue
        known.add(row.id)
        addTo(editions, tour, circuit, matchOf(row.id, row.cells), row.cells)
      }
    }
    use(editions.values())
  }
}

const addTo = (editions: Map<string, Edition>, tour: Tour, circuit: Circuit, match: RoundMatch, cells: ReadonlyArray<Cell>) => {
  const id = String(at(cells, "tournament_id"))
  const isMain = circuit === "tour" || circuit === "amateur"
  const known = editions.get(id)
  if (known !== undefined) known.matches.push(match)
  else {
    const decade = `${tour} ${isMain ? "main" : "lower"} ${id.slice(0, 3)}0s`
    const [name, level, drawSize] = [textAt(cells, "tournament_name"), textAt(cells, "level"), numberAt(cells, "draw_size")]
    editions.set(id, { decade, name, level, drawSize, matches: [match] })
  }
}

/** Ids of all matches in a draw. */
const matchesIn = (draw: Draw<RoundMatch>): ReadonlyArray<string> => [
  ...[...draw.rounds, ...draw.qualifying].flatMap(({ places }) => places.flatMap(({ match }) => match?.id ?? [])),
  ...draw.groups.flatMap(({ matches }) => matches.map(({ id }) => id)),
  ...[...draw.preliminary, ...draw.thirdPlace, ...draw.unplaced].map(({ id }) => id),
  ...(draw.challengeRound === null ? [] : [draw.challengeRound.id]),
]

/** Winner of the only challenge round, or else of the only final. Undefined if there is none or several. */
const expectedChampion = (matches: ReadonlyArray<RoundMatch>): string | undefined => {
  const challenges = matches.filter(({ round }) => round === "CR")
  const last = challenges.length > 0 ? challenges : matches.filter(({ round }) => round === "F")
  return last.length === 1 ? last[0]?.winner.id : undefined
}

const newTally = () => ({ draws: 0, complete: 0, possible_gaps: 0, gaps: 0, not_played_or_missing: 0, unfinished: 0, unplaced: 0 })

describe.skipIf(dataDirectory === null)("recorded tennis draws", () => {
  it("keep every match, have the winner of the final as champion, and are complete on the main tours", { timeout: 600_000 }, () => {
    const tallies = new Map<string, ReturnType<typeof newTally>>()
    const wrongChampions: Array<string> = []
    const wrongMatches: Array<string> = []
    const check = (edition: Edition) => {
      const { decade, matches, name } = edition
      const draw = buildDraw(edition, matches)
      if (draw.reason !== null) return
      const tally = tallies.get(decade) ?? newTally()
      tallies.set(decade, tally)
      tally.draws += 1
      tally[draw.completeness] += 1
      tally.unplaced += draw.unplaced.length
      const expected = expectedChampion(matches)
      if (expected !== undefined && draw.champion?.id !== expected) wrongChampions.push(`${decade} ${name}`)
      const ids = matchesIn(draw)
      if (ids.length !== matches.length || new Set(ids).size !== ids.length) wrongMatches.push(`${decade} ${name}`)
    }
    for (const tour of ["atp", "wta"] as const) {
      eachYear(tour, (editions) => {
        for (const edition of editions) check(edition)
      })
    }
    process.stdout.write("draws by decade: draws, complete, possible gaps, gaps, matches without a place\n")
    for (const [decade, tally] of [...tallies].sort()) process.stdout.write(`${decade}: ${Object.values(tally).join(", ")}\n`)
    assert.deepStrictEqual([wrongChampions, wrongMatches], [[], []])
    for (const decade of ["atp main 2000s", "atp main 2010s", "wta main 2000s", "wta main 2010s"]) {
      const { draws, gaps } = tallies.get(decade) ?? newTally()
      assert.isAbove(draws, 500, decade)
      assert.isBelow(gaps / draws, 0.02, decade)
    }
  })
})
