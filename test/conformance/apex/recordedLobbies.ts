/**
 * Computes the scores of recorded lobbies from their CSV files, with code that shares nothing with the product: another
 * reader, another table of points and another order of teams.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

interface Result {
  readonly game: number
  readonly placement: number
  readonly kills: number
  readonly points: number
}

export interface RecordedLobby {
  /** Such as `year5champions/Day1-A`. */
  readonly name: string
  readonly seriesId: string
  readonly ranks: ReadonlyMap<string, number>
  readonly results: ReadonlyMap<string, ReadonlyArray<Result>>
  /** Total points by team as another file states them. Empty if there is no such file. */
  readonly totals: ReadonlyMap<string, number>
}

const tournaments: Readonly<Record<string, string>> = {
  year4champions: "year-4-championship",
  year5champions: "year-5-open",
  ewc2025: "ewc-2025",
}

const linesOf = (path: string): ReadonlyArray<ReadonlyArray<string>> =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(","))

export const recordedLobbies = (root: string): ReadonlyArray<RecordedLobby> =>
  Object.keys(tournaments).flatMap((folder) =>
    readdirSync(join(root, folder, "raw")).map((file): RecordedLobby => {
      const lobby = file.replace(/\.csv$/u, "")
      const ranks = new Map<string, number>()
      const results = new Map<string, Array<Result>>()
      for (const [team = "", rank, game, placement, kills, points] of linesOf(join(root, folder, "raw", file))) {
        ranks.set(team, Number(rank))
        const played = results.get(team) ?? []
        played.push({ game: Number(game), placement: Number(placement), kills: Number(kills), points: Number(points) })
        results.set(team, played)
      }
      return {
        name: `${folder}/${lobby}`,
        seriesId: `${tournaments[folder]}-${lobby.toLowerCase()}`,
        ranks,
        results,
        totals: totalsOf(join(root, folder, `${lobby}_points.csv`)),
      }
    }),
  )

const totalsOf = (path: string): ReadonlyMap<string, number> => {
  try {
    return new Map(linesOf(path).map((cells) => [cells[0] ?? "", Number(cells.at(-1))]))
  } catch {
    return new Map()
  }
}

/** True if the teams of each game have placements of their own. */
export const hasOwnPlacements = ({ results }: RecordedLobby): boolean => {
  const lines = [...results.values()].flat()
  return new Set(lines.map(({ game, placement }) => game * 100 + placement)).size === lines.length
}

/** Lines whose points are not those of the placement and the kills. */
export const wrongPoints = ({ results }: RecordedLobby): number => {
  const first = [12, 9, 7, 5, 4]
  const pointsOf = (placement: number) => first[placement - 1] ?? (placement <= 7 ? 3 : placement <= 10 ? 2 : placement <= 15 ? 1 : 0)
  return [...results.values()].flat().filter(({ kills, placement, points }) => pointsOf(placement) + kills !== points).length
}

export const sumOf = (lobby: RecordedLobby, team: string): number =>
  (lobby.results.get(team) ?? []).reduce((sum, { points }) => sum + points, 0)

/** Lists teams whose rank is not that of total points, then best games, then best placements: `team 3 instead of 4`. */
export const wrongRanks = (lobby: RecordedLobby): ReadonlyArray<string> => {
  const isKnown = hasOwnPlacements(lobby)
  // A text that sorts like the values: higher points first, and lower placements first.
  const keyOf = (team: string) => {
    const played = lobby.results.get(team) ?? []
    const numbers = [
      9_999 - sumOf(lobby, team),
      ...played.map(({ points }) => 9_999 - points).toSorted((one, other) => one - other),
      ...(isKnown ? played.map(({ placement }) => placement).toSorted((one, other) => one - other) : []),
    ]
    return numbers.map((number) => String(number).padStart(4, "0")).join()
  }
  const keys = [...lobby.ranks.keys()].map(keyOf).toSorted()
  return [...lobby.ranks]
    .flatMap(([team, rank]) => {
      const computed = keys.indexOf(keyOf(team)) + 1
      return computed === rank ? [] : [`${team} ${rank} instead of ${computed}`]
    })
    .toSorted()
}
