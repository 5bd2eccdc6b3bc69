/** Reads the recorded files of the league and counts them on its own, without any code of the import. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export type Row = Readonly<Record<string, string>>

/** Reads a CSV file without quoted cells. */
export const rowsOf = (file: string): ReadonlyArray<Row> => {
  const [header = "", ...lines] = readFileSync(file, "utf8")
    .replace(/^\uFEFF/u, "")
    .split(/\r?\n/u)
  const names = header.split(",")
  return lines
    .filter((line) => line !== "")
    .map((line) => Object.fromEntries(line.split(",").map((cell, index) => [names[index] ?? "", cell])))
}

export const number = (row: Row | undefined, column: string): number => Number(row?.[column])

export const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** A finished match as the files state it. `maps` has the number of maps that each team won, by the name of the team. */
export interface FileMatch {
  readonly id: string
  readonly teams: readonly [string, string]
  readonly maps: Readonly<Record<string, number>>
}

const winsOf = (teams: readonly [string, string], winners: ReadonlyArray<string>): FileMatch["maps"] =>
  Object.fromEntries(teams.map((team) => [team, winners.filter((winner) => winner === team).length]))

/** Matches of `codstats`, with the maps that were won by the scores of the maps. */
export const codstatsMatches = (folder: string): ReadonlyArray<FileMatch> => {
  const read = (name: string) => rowsOf(join(folder, "codstats", `${name}.csv`))
  const names = new Map(read("Teams").map((row) => [row["ID"], row["Name"] ?? ""]))
  const games = new Map(read("Games").map((row) => [row["ID"], row]))
  const ofMatch = Map.groupBy(read("MatchesGames"), (row) => row["Match"])
  return read("Matches").map((match) => {
    const teams = [names.get(match["Team1"]) ?? "", names.get(match["Team2"]) ?? ""] as const
    const winners = (ofMatch.get(match["ID"]) ?? []).map(({ Game }) => {
      const game = games.get(Game)
      return number(game, "Team1Score") > number(game, "Team2Score") ? teams[0] : teams[1]
    })
    return { id: match["ID"] ?? "", teams, maps: winsOf(teams, winners) }
  })
}

const breakingpointRows = (folder: string) => rowsOf(join(folder, "breakingpoint", "breakingpoint_cod_stats.csv"))

/** Matches of `breakingpoint`, with the maps whose lines say `won_map`. */
export const breakingpointMatches = (folder: string): ReadonlyArray<FileMatch> =>
  [...Map.groupBy(breakingpointRows(folder), (row) => row["match_id"] ?? "")].map(([id, rows]) => {
    const teams = [rows[0]?.["team_name"] ?? "", rows[0]?.["opponent_team_name"] ?? ""] as const
    const won = rows.filter((row) => row["won_map"] === "True")
    const winners = [...Map.groupBy(won, (row) => row["map_number"]).values()].map(([row]) => row?.["team_name"] ?? "")
    return { id: `bp-match-${id.slice("MATCH_".length)}`, teams, maps: winsOf(teams, winners) }
  })

/** Kills and deaths of a team on a map. */
export interface TeamLines {
  readonly map: string
  readonly team: string
  readonly kills: number
  readonly opponentDeaths: number
}

const teamLines = (
  rows: ReadonlyArray<Row>,
  map: (row: Row) => string,
  columns: readonly [team: string, kills: string, deaths: string],
): ReadonlyArray<TeamLines> => {
  const [team, kills, deaths] = columns
  return [...Map.groupBy(rows, map)].flatMap(([id, lines]) =>
    [...Map.groupBy(lines, (row) => row[team] ?? "")].map(([name, own]) => ({
      map: id,
      team: name,
      kills: sum(own.map((row) => number(row, kills))),
      opponentDeaths: sum(lines.filter((row) => row[team] !== name).map((row) => number(row, deaths))),
    })),
  )
}

/** Lines of both sources by team and map. */
export const allTeamLines = (folder: string): ReadonlyArray<TeamLines> => [
  ...teamLines(rowsOf(join(folder, "codstats", "PlayersGames.csv")), (row) => `codstats ${row["Game"]}`, ["Team", "Kills", "Deaths"]),
  ...teamLines(breakingpointRows(folder), (row) => `${row["match_id"]} ${row["map_number"]}`, ["team_name", "kills", "deaths"]),
]

/** Sums of a player in an event, with the same names of columns for all files. */
export const eventTotals = (folder: string): ReadonlyArray<{ readonly event: string; readonly rows: ReadonlyArray<Row> }> =>
  readdirSync(join(folder, "season2025"))
    .filter((file) => file.endsWith(".csv"))
    .toSorted()
    .map((event) => ({
      event,
      rows: rowsOf(join(folder, "season2025", event)).map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, cell]) => [name.replace("Hardpoint_", "HP_").replace("SnD_", "SND_"), cell])),
      ),
    }))

/** A file that repeats the one of Major 1 under a name without an event. The import ignores it. */
export const REPEATED_EVENT = "All_48_CDL_Player_Stats.csv"
