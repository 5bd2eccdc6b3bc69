/** Counts the bomb events per team and the kills per weapon of one map. */
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { LiveMap, LiveMatch } from "../../contract/LiveMatch.ts"
import type { TeamId } from "../../rules/ids.ts"
import { isBombEvent } from "./roundEnds.ts"

export interface TeamTally {
  readonly teamId: TeamId
  readonly plants: number
  readonly defuses: number
  readonly explosions: number
  /** Defuses by the last living defender of the team. */
  readonly clutchDefuses: number
}

export interface WeaponTally {
  readonly weapon: string
  readonly kills: number
  readonly headshots: number
}

export interface MapTallies {
  readonly bombs: ReadonlyArray<LiveEvent>
  readonly teams: ReadonlyArray<TeamTally>
  /** Sorted by kills in descending order. */
  readonly weapons: ReadonlyArray<WeaponTally>
  /** The team of a bomb event; of an explosion, the team that planted the bomb. Null if the feed does not report it. */
  readonly teamOf: (event: LiveEvent) => TeamId | null
}

export const mapTallies = (match: LiveMatch, map: LiveMap, events: ReadonlyArray<LiveEvent>): MapTallies => {
  const ofMap = eventsOfMap(events, map.mapNumber)
  const bombs = ofMap.filter(isBombEvent)
  const teams = new Map([...map.players, ...match.players].map((player) => [player.id, player.teamId]))
  const planters = new Map<number, TeamId>()
  for (const { eventType, playerId, round } of bombs) {
    const team = playerId === null ? undefined : teams.get(playerId)
    if (eventType === "BombPlanted" && team !== undefined) planters.set(round, team)
  }
  const teamOf = ({ eventType, playerId, round }: LiveEvent): TeamId | null =>
    (eventType === "BombExploded" ? planters.get(round) : playerId === null ? undefined : teams.get(playerId)) ?? null
  const count = (team: TeamId, type: LiveEvent["eventType"], also: (event: LiveEvent) => boolean = () => true) =>
    bombs.filter((event) => event.eventType === type && teamOf(event) === team && also(event)).length
  return {
    bombs,
    teams: match.teams.map(({ id }) => ({
      teamId: id,
      plants: count(id, "BombPlanted"),
      defuses: count(id, "BombDefused"),
      explosions: count(id, "BombExploded"),
      clutchDefuses: count(id, "BombDefused", (event) => event.ctPlayers === 1),
    })),
    weapons: weaponsOf(ofMap),
    teamOf,
  }
}

/** If the map was restarted, only the events since the last restart. */
export const eventsOfMap = (events: ReadonlyArray<LiveEvent>, mapNumber: number): ReadonlyArray<LiveEvent> => {
  const ofMap = events.filter((event) => event.mapNumber === mapNumber)
  return ofMap.slice(ofMap.findLastIndex((event) => event.eventType === "MapRestart") + 1)
}

const weaponsOf = (events: ReadonlyArray<LiveEvent>): ReadonlyArray<WeaponTally> => {
  const weapons = new Map<string, { weapon: string; kills: number; headshots: number }>()
  for (const event of events) {
    if (event.eventType !== "Kill") continue
    const weapon = String(event.payload["weapon"])
    const tally = weapons.get(weapon) ?? { weapon, kills: 0, headshots: 0 }
    tally.kills += 1
    if (event.payload["headshot"] === true) tally.headshots += 1
    weapons.set(weapon, tally)
  }
  return [...weapons.values()].sort((a, b) => b.kills - a.kills)
}
