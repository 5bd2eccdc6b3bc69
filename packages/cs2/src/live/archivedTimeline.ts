/** Converts the events of a live match to the archive's format, one map at a time. */
import { Schema } from "effect"
import type { LiveEvent } from "../contract/LiveEvent.ts"
import type { ArchivedGameEvent, ArchivedPlayerStats, PlayerRef } from "../rules/archive/ArchivedMatch.ts"

export type RefOf = (player: unknown) => PlayerRef | undefined

/** If the map was restarted, only the events after the last restart. */
export const eventsOfMap = (events: ReadonlyArray<LiveEvent>, mapNumber: number): ReadonlyArray<LiveEvent> => {
  const ofMap = events.filter((event) => event.mapNumber === mapNumber)
  return ofMap.slice(ofMap.findLastIndex((event) => event.eventType === "MapRestart") + 1)
}

export const archivedEvents = (events: ReadonlyArray<LiveEvent>, refOf: RefOf): ReadonlyArray<ArchivedGameEvent> =>
  events.flatMap((event): ReadonlyArray<ArchivedGameEvent> => {
    const { bombSite, ctPlayers, eventType, observedAt, payload, playerId, tPlayers } = event
    const at = { round: event.round, observedAt: Date.parse(observedAt) }
    const alive = { ctPlayers, tPlayers }
    switch (eventType) {
      case "Kill":
        return [
          {
            ...at,
            type: eventType,
            player: refOf(playerId),
            victim: refOf(payload["victimPlayerId"]),
            assister: refOf(payload["assisterPlayerId"]),
            ...killed(payload),
            payload: { ...alive, ...of(payload, "flashAssist", "throughSmoke", "wallbang") },
          },
        ]
      case "BombPlanted":
      case "BombDefused":
      case "BombExploded":
        return [{ ...at, type: eventType, player: refOf(playerId), payload: { ...alive, bombSite } }]
      case "RoundStart":
        return [{ ...at, type: eventType, payload: alive }]
      case "RoundEnd": {
        const result = of(payload, "winner", "winType", "terroristScore", "counterTerroristScore")
        return [{ ...at, type: eventType, payload: { ...alive, ...result } }]
      }
      default:
        return []
    }
  })

/** Bomb sites by round number. Rounds without a plant are absent. */
export const bombSites = (events: ReadonlyArray<LiveEvent>): ReadonlyMap<number, "A" | "B"> =>
  new Map(
    events.flatMap(({ bombSite, eventType, round }) =>
      eventType === "BombPlanted" && bombSite !== null ? [[round, bombSite] as const] : [],
    ),
  )

/** Kills of enemies by player and weapon, and how many were headshots. Kills of teammates do not count. */
export const weaponsOf = (events: ReadonlyArray<LiveEvent>): ReadonlyMap<string, NonNullable<ArchivedPlayerStats["weapons"]>> => {
  const tallies = new Map<string, Map<string, { weapon: string; kills: number; headshots: number }>>()
  for (const { eventType, payload, playerId } of events) {
    const { headshot, weapon } = killed(payload)
    if (eventType !== "Kill" || playerId === null || weapon === undefined || payload["killerSide"] === payload["victimSide"]) continue
    const weapons = tallies.get(playerId) ?? new Map()
    const tally = weapons.get(weapon) ?? { weapon, kills: 0, headshots: 0 }
    tally.kills += 1
    if (headshot === true) tally.headshots += 1
    weapons.set(weapon, tally)
    tallies.set(playerId, weapons)
  }
  return new Map([...tallies].map(([player, weapons]) => [player, [...weapons.values()]]))
}

const isText = Schema.is(Schema.String)
const isFact = Schema.is(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null]))

const killed = (payload: LiveEvent["payload"]) => {
  const { headshot, weapon } = payload
  return { weapon: isText(weapon) ? weapon : undefined, headshot: headshot === true ? true : headshot === false ? false : undefined }
}

const of = (payload: LiveEvent["payload"], ...keys: ReadonlyArray<string>): NonNullable<ArchivedGameEvent["payload"]> =>
  Object.fromEntries(keys.flatMap((key) => (isFact(payload[key]) ? [[key, payload[key]]] : [])))
