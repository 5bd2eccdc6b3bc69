/**
 * Counts the season leaderboards from the files of an archive. Shares no code with the import and the database, so that
 * a mistake there cannot hide here.
 */
import { join } from "node:path"
import { type CsvRow, filesOf, readCsv, type Tour } from "./archiveCsv.ts"

type Pair = readonly [numerator: number, denominator: number]

/** The boards that are shares, with the minimum of the denominator, and `comeback-wins`. */
export const countedBoards = {
  "1st-serve-won": 400,
  "break-conversion": 60,
  "break-points-saved": 60,
  "comeback-wins": 1,
  "deciding-set-record": 5,
  "finals-record": 2,
  "return-games-won": 120,
  "tiebreak-win-pct": 8,
} as const
export type CountedBoard = keyof typeof countedBoards

interface SetScore {
  readonly won: number
  readonly lost: number
  readonly tiebreak: boolean
}

/** Sets of a score. None if one of them is impossible, because the others may be wrong, too. */
const setsOf = (score: string): ReadonlyArray<SetScore> => {
  const sets = writtenSetsOf(score)
  return sets.some(({ lost, tiebreak, won }) => tiebreak && Math.abs(won - lost) > 1) ? [] : sets
}

const writtenSetsOf = (score: string): ReadonlyArray<SetScore> =>
  score.split(/\s+/u).flatMap((part) => {
    const match = /^(\d+)-(\d+)(\(\d+\))?$/u.exec(part) ?? /^\[(\d+)-(\d+)\]$/u.exec(part)
    if (match === null) return []
    const [won, lost] = [Number(match[1]), Number(match[2])]
    return [{ won, lost, tiebreak: match[3] !== undefined || (Math.max(won, lost) === 7 && Math.min(won, lost) === 6) }]
  })

/** True for a set that its games end. The other player may retire right after it. */
const isWhole = ({ lost, won }: SetScore): boolean => {
  const most = Math.max(won, lost)
  return (most >= 6 && Math.abs(won - lost) >= 2) || (most === 7 && Math.min(won, lost) === 6)
}

/** Returns the number in a cell, or undefined if the cell is empty. */
const numberIn = (row: CsvRow, column: string): number | undefined => (row(column) === "" ? undefined : Number(row(column)))

/** Returns the numerator and denominator of each player and board, without those below the minimum. */
export const countBoards = (dataDirectory: string, tour: Tour, year: number): Readonly<Record<string, ReadonlyMap<string, Pair>>> => {
  const counts = new Map<string, Map<string, Pair>>()
  const add = (board: CountedBoard, player: string, won: number | undefined, of: number | undefined) => {
    if (won === undefined || of === undefined) return
    const ofBoard = counts.get(board) ?? new Map<string, Pair>()
    const [before, total] = ofBoard.get(player) ?? [0, 0]
    counts.set(board, ofBoard.set(player, [before + won, total + of]))
  }
  const seen = new Set<string>()
  const finals = new Map<string, Array<readonly [winner: string, loser: string]>>()

  const take = (row: CsvRow) => {
    const [winner, loser] = [`${tour}_${row("winner_id")}`, `${tour}_${row("loser_id")}`]
    const [tournament, round, score] = [row("tourney_id"), row("round"), row("score").trim()]
    const key = [tournament, winner, loser, round, score].join(" ")
    // WTA files repeat matches.
    if (!tournament.startsWith(`${year}-`) || (tour === "wta" && seen.has(key))) return
    seen.add(key)
    if (round === "F" && row("tourney_level") !== "D") finals.set(tournament, [...(finals.get(tournament) ?? []), [winner, loser]])

    const sets = setsOf(score)
    const isCompleted = sets.length > 0 && !/[a-z]/iu.test(score)
    const [first] = sets
    if (first !== undefined && !score.includes("W/O") && (isCompleted || sets.length > 1 || isWhole(first))) {
      if (first.won < first.lost) add("comeback-wins", winner, 1, 1)
      if (first.won > first.lost) add("comeback-wins", loser, 0, 1)
    }
    const lostSets = sets.filter(({ lost, won }) => won < lost).length
    if (isCompleted && lostSets > 0 && sets.filter(({ lost, won }) => won > lost).length === lostSets + 1) {
      add("deciding-set-record", winner, 1, 1)
      add("deciding-set-record", loser, 0, 1)
    }
    for (const { lost, tiebreak, won } of sets) {
      if (!tiebreak || won === lost) continue
      add("tiebreak-win-pct", winner, won > lost ? 1 : 0, 1)
      add("tiebreak-win-pct", loser, won > lost ? 0 : 1, 1)
    }
    for (const [player, own, other] of [
      [winner, "w", "l"],
      [loser, "l", "w"],
    ] as const) {
      const [saved, faced] = [numberIn(row, `${own}_bpSaved`), numberIn(row, `${own}_bpFaced`)]
      if (saved !== undefined && faced !== undefined) add("break-points-saved", player, saved, faced)
      const [otherSaved, otherFaced] = [numberIn(row, `${other}_bpSaved`), numberIn(row, `${other}_bpFaced`)]
      if (otherSaved !== undefined && otherFaced !== undefined) {
        add("break-conversion", player, otherFaced - otherSaved, otherFaced)
        const games = numberIn(row, `${other}_SvGms`)
        if (games !== undefined && games > 0) add("return-games-won", player, otherFaced - otherSaved, games)
      }
      const firstIn = numberIn(row, `${own}_1stIn`)
      if (firstIn !== undefined && firstIn > 0) add("1st-serve-won", player, numberIn(row, `${own}_1stWon`), firstIn)
    }
  }

  for (const file of filesOf(join(dataDirectory, "tennis", tour), new RegExp(`^${tour}_matches_${year}\\.`, "u"))) readCsv(file, take)
  for (const [final, ...others] of finals.values()) {
    if (final === undefined || others.length > 0) continue
    add("finals-record", final[0], 1, 1)
    add("finals-record", final[1], 0, 1)
  }
  return Object.fromEntries(
    Object.entries(countedBoards).map(([board, minimum]) => [
      board,
      new Map([...(counts.get(board) ?? [])].filter(([, [won, of]]) => of >= minimum && (board !== "comeback-wins" || won > 0))),
    ]),
  )
}
