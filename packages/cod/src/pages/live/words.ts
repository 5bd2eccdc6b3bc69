import type { LiveEvent, LiveMap, LiveMatch, LiveRow, TeamNumber } from "./types.ts"

export const teamOf = <Match extends Pick<LiveRow, "team1" | "team2">>(match: Match, team: TeamNumber): Match["team1"] =>
  team === 1 ? match.team1 : match.team2

export const placeWords = ({ round, tournament }: Pick<LiveRow, "round" | "tournament">) =>
  [tournament.name, round].filter((part) => part !== null).join(" · ")

const shortModes: Readonly<Record<string, string>> = { Hardpoint: "HP", "Search and Destroy": "S&D", Control: "CTL" }

export const shortMode = (mode: string) => shortModes[mode] ?? mode

export const mapWords = ({ gameMode, mapName }: Pick<LiveMap, "gameMode" | "mapName">) => `${mapName} · ${gameMode}`

/** The id if no team has the player. */
export const handleOf = ({ team1, team2 }: LiveMatch, id: string): string =>
  [...team1.players, ...team2.players].find(({ playerId }) => playerId === id)?.ign ?? id

const reasons: Readonly<Record<string, string>> = {
  elimination: "elimination",
  detonation: "bomb detonated",
  defuse: "bomb defused",
  zones: "both zones captured",
  time: "time",
}

/** Undefined if the list does not show the event. */
export const eventWords = (match: LiveMatch, event: LiveEvent): string | undefined => {
  const team = event.team === undefined ? "" : teamOf(match, event.team).name
  const score = `${event.team1Score ?? 0}–${event.team2Score ?? 0}`
  switch (event.type) {
    case "match_started":
      return "The match has started"
    case "map_started":
      return `Map ${event.mapNumber ?? ""} has started`
    case "bomb_planted":
      return `${handleOf(match, event.player ?? "")} plants at ${(event.site ?? "a").toUpperCase()}`
    case "bomb_defused":
      return `${handleOf(match, event.player ?? "")} defuses`
    case "bomb_detonated":
      return "The bomb detonates"
    case "zone_ticked":
      return `Zone ${(event.site ?? "a").toUpperCase()}: a tick is captured`
    case "round_ended":
      return `Round ${event.round ?? ""} ${team}, ${reasons[event.reason ?? ""] ?? ""} · ${score}`
    case "map_ended":
      return `Map ${event.mapNumber ?? ""} ${team} · ${score}`
    case "map_replayed":
      return `Map ${event.mapNumber ?? ""} is played again`
    case "player_substituted":
      return `${handleOf(match, event.player ?? "")} comes in`
    case "suspended":
      return team === "" ? "Play is suspended" : `Timeout ${team}`
    case "resumed":
      return "Play goes on"
    case "score_corrected":
      return "An official has corrected the score"
    case "forfeited":
      return `${team} has given up`
    case "cancelled":
      return "The match was cancelled"
    default:
      return undefined
  }
}
