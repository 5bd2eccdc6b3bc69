/**
 * Reads the lines of a lobby file (`Team,Rank,Game,Placement,Kills,Points`) and of the files beside it: stated totals
 * (`Team,...,Overall Points`), players and bans. A text instead of a value is the reason for rejecting the line.
 */
import { Record, Schema } from "effect"
import { MOST_TEAMS } from "../points.ts"
import { type ApexPlayerGame, ArchiveId, type GameStatistics } from "../series.ts"

/** A line by column. A missing column is undefined. */
export type Line = Readonly<Record<string, string | undefined>>

export interface LobbyLine {
  readonly teamName: string
  readonly rank: number
  readonly gameNumber: number
  readonly placement: number
  readonly kills: number
  readonly points: number
}

export interface PlayerLine {
  readonly gameNumber: number
  readonly teamName: string
  readonly player: ApexPlayerGame
}

export interface BanLine {
  readonly gameNumber: number
  readonly legend: string
}

export const lobbyColumns = ["Team", "Rank", "Game", "Placement", "Kills", "Points"] as const

/** No game of a lobby of 20 teams can exceed these bounds. */
const MOST_GAMES = 40
const MOST_KILLS = 3 * MOST_TEAMS

export const readLobbyLine = (line: Line): LobbyLine | string => {
  const teamName = nameOf(line["Team"])
  if (teamName === undefined) return "Team is empty or longer than 120 characters"
  const [rank, gameNumber, placement, kills, points] = [
    wholeOf(line, "Rank", 1, 1_000),
    wholeOf(line, "Game", 1, MOST_GAMES),
    wholeOf(line, "Placement", 1, MOST_TEAMS),
    wholeOf(line, "Kills", 0, MOST_KILLS),
    wholeOf(line, "Points", 0, 1_000),
  ]
  for (const value of [rank, gameNumber, placement, kills, points]) if (typeof value === "string") return value
  return { teamName, rank, gameNumber, placement, kills, points } as LobbyLine
}

export const readTotal = (line: Line): { readonly teamName: string; readonly points: number } | string => {
  const teamName = nameOf(line["Team"])
  if (teamName === undefined) return "Team is empty or longer than 120 characters"
  const points = wholeOf(line, "Overall Points", 0, 10_000)
  return typeof points === "string" ? points : { teamName, points }
}

/** Columns: `Game,Team,PlayerId,Player`, and optional columns that may be empty. */
export const readPlayerLine = (line: Line): PlayerLine | string => {
  const gameNumber = wholeOf(line, "Game", 1, MOST_GAMES)
  if (typeof gameNumber === "string") return gameNumber
  const [teamName, playerName, playerId] = [nameOf(line["Team"]), nameOf(line["Player"]), line["PlayerId"]?.trim()]
  if (teamName === undefined) return "Team is empty or longer than 120 characters"
  if (playerName === undefined) return "Player is empty or longer than 120 characters"
  if (!isId(playerId)) return `PlayerId is no id of letters, digits, dots, hyphens and underscores: ${playerId}`
  const values: Record<string, number | null> = {}
  for (const column of ["Kills", ...Object.values(statisticColumns)]) {
    const value = line[column] === undefined || line[column].trim() === "" ? null : wholeOf(line, column, 0, 1_000_000)
    if (typeof value === "string") return value
    values[column] = value
  }
  return {
    gameNumber,
    teamName,
    player: {
      playerId,
      playerName,
      legend: nameOf(line["Legend"]) ?? null,
      kills: values["Kills"] ?? null,
      statistics: Record.map(statisticColumns, (column) => values[column] ?? null),
    },
  }
}

/** Columns: `Game,Legend`. */
export const readBan = (line: Line): BanLine | string => {
  const gameNumber = wholeOf(line, "Game", 1, MOST_GAMES)
  if (typeof gameNumber === "string") return gameNumber
  const legend = nameOf(line["Legend"])
  return legend === undefined ? "Legend is empty or longer than 120 characters" : { gameNumber, legend }
}

const statisticColumns: Readonly<Record<keyof GameStatistics, string>> = {
  assists: "Assists",
  damage: "Damage",
  damageTaken: "DamageTaken",
  knockdowns: "Knockdowns",
  revives: "Revives",
  respawns: "Respawns",
  ringDamage: "RingDamage",
  survivalTime: "SurvivalTime",
}

const isId = Schema.is(ArchiveId)

/** Undefined if the name is empty or too long. */
const nameOf = (text: string | undefined): string | undefined => {
  const name = text?.trim() ?? ""
  return name === "" || name.length > 120 ? undefined : name
}

/** The whole number of a column, or the reason why there is none. */
const wholeOf = (line: Line, column: string, least: number, most: number): number | string => {
  const text = line[column]?.trim() ?? ""
  if (!/^\d{1,9}$/u.test(text)) return `${column} is not a whole number: ${text}`
  const value = Number(text)
  return value >= least && value <= most ? value : `${column} is ${value}, expected ${least} to ${most}`
}
