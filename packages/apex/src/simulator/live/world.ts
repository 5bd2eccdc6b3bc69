/**
 * An endless sequence of live lobbies of the simulated circuit: schedule, formats and seeds, not when they are played.
 */
import { childSeed, Random } from "@matchpoint/simulator/random"
import { MATCH_POINT_THRESHOLD } from "../../rules/archive/points.ts"
import type { Region } from "../../rules/archive/series.ts"
import type { LobbySheet } from "../../rules/live/lobby.ts"
import { type ApexSquad, apexTeams, leagueRegions } from "../apexTeams.ts"
import type { LobbyOptions } from "./simulateLobby.ts"

/** Lobby of the schedule: everything but its id. */
export type ScheduledLobby = Omit<LobbyOptions, "matchId">

const [LOBBIES, ORDERS] = [0x8d_0000, 0x9e_0000] as const

/** Every team belongs to one region, and a lobby has all teams of a region. */
export const MOST_LOBBIES = leagueRegions.length

/** One lobby per region, then a final between the regions. */
const ROUND = leagueRegions.length + 1

/** The n-th lobby of a world, n >= 1. `year` is the year of its tournament. */
export const scheduledLobby = (seed: number, n: number, year: number): ScheduledLobby => {
  const place = (n - 1) % ROUND
  const round = Math.floor((n - 1) / ROUND) + 1
  const region = leagueRegions[place]
  const squads = region === undefined ? bestOf(seed, n) : apexTeams(seed, region)
  return { seed: childSeed(seed, LOBBIES + n), lobby: sheetOf(squads, region ?? "global", round, year), squads }
}

/** Five teams of each region. */
const bestOf = (seed: number, n: number): ReadonlyArray<ApexSquad> => {
  const random = new Random(childSeed(seed, ORDERS + n))
  return leagueRegions.flatMap((region) => random.shuffle(apexTeams(seed, region)).slice(0, 5))
}

const sheetOf = (squads: ReadonlyArray<ApexSquad>, region: Region, round: number, year: number): LobbySheet => {
  const isFinal = region === "global"
  return {
    name: isFinal ? `Showdown ${round} Final` : `Showdown ${round} ${region}`,
    stage: isFinal ? "Final" : "Regional",
    region,
    tournament: { id: `${year}-sim-daylight-showdown`, name: "Daylight Showdown (simulated)" },
    format: { games: 6, matchPoint: isFinal ? MATCH_POINT_THRESHOLD : null },
    teams: teamSheets(squads),
  }
}

export const teamSheets = (squads: ReadonlyArray<ApexSquad>): LobbySheet["teams"] =>
  squads.map(({ id, name, players }) => ({ id, name, players: players.map((player) => ({ id: player.id, name: player.name })) }))
