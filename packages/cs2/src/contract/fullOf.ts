/**
 * Converts a document from message format v2 to v1. Absent fields become null, objects keyed by id become arrays, and
 * `Extras` supplies the values that v2 omits. The sections (team, map, player, round) are immutable, so the JSON text
 * of each is cached for as long as that section exists.
 */
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import type { JsonObject, Layout } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { CompactMatch } from "./CompactMatch.ts"
import {
  LiveBomb,
  LiveGame,
  type LiveLastEvent,
  LiveMap,
  LiveMatch,
  LivePlayer,
  LivePlayerLine,
  LiveRound,
  LiveTeam,
  optionalFields,
} from "./LiveMatch.ts"

/** Values that format v1 requires but the v2 document omits. */
export interface Extras {
  /** Seconds left on the round clock at the time of the change. Present only if the clock was running. */
  readonly clock?: number
  readonly last: LiveLastEvent | null
  /** The `updatedAt` of format v1. Present only if it differs from the time of the change (`observedAt`). */
  readonly updatedAt?: string
}

const without = (keys: ReadonlyArray<string>, ...left: ReadonlyArray<string>) => keys.filter((key) => !left.includes(key))

const teamKeys = Object.keys(LiveTeam.fields)
const playerKeys = Object.keys(LivePlayer.fields)
const lineKeys = Object.keys(LivePlayerLine.fields)
const mapKeys = Object.keys(LiveMap.fields)
const gameKeys = Object.keys(LiveGame.fields)
const bombKeys = Object.keys(LiveBomb.fields)
const roundKeys = Object.keys(LiveRound.fields)
const timeoutKeys = ["teamId", "kind", "since"]
const matchKeys = Object.keys(LiveMatch.fields)
const isOccasional = (key: string): boolean => Object.hasOwn(optionalFields, key)

const teamLayout: Layout = { keys: teamKeys }

/** Key order of the v2 document. It must be the same as in `compactFrom`. */
export const layout: Layout = {
  keys: [
    ...without(matchKeys, "updatedAt", "lastEvent", "teams", "maps", "game", "players", "rounds", "timeout", "unavailableFields"),
    "unavailableFields",
    "team1",
    "team2",
    "maps",
    "game",
    "players",
    "rounds",
    "timeout",
  ],
  fields: {
    team1: teamLayout,
    team2: teamLayout,
    maps: { each: { keys: without(mapKeys, "mapNumber"), fields: { players: { each: { keys: without(lineKeys, "id") } } } } },
    game: { keys: [...without(gameKeys, "clockSeconds", "bomb"), "clockSeconds", "bomb"], fields: { bomb: { keys: bombKeys } } },
    players: { each: { keys: without(playerKeys, "id") } },
    rounds: { each: { keys: without(roundKeys, "round") } },
    timeout: { keys: timeoutKeys },
  },
}

type State = LiveState<CompactMatch>

export const extrasOf = ({ extras }: State): Extras => extras as unknown as Extras

export const fullOf = (state: State): LiveMatch => {
  const { document } = state
  const full: Record<string, unknown> = {}
  for (const key of matchKeys) if (key in document || !isOccasional(key)) full[key] = fieldOf(key, state)
  full["maps"] = Object.entries(document.maps).map(([number, map]) => fullMap(number, map))
  full["players"] = Object.entries(document.players).map(([id, player]) => fullPlayer(id, player))
  full["rounds"] = Object.entries(document.rounds).map(([number, round]) => fullRound(number, round))
  full["teams"] = [withNulls(teamKeys, document.team1), withNulls(teamKeys, document.team2)]
  full["game"] = fullGame(state)
  return full as unknown as LiveMatch
}

/** Returns the same text as `JSON.stringify(fullOf(state))`. */
export const fullText = (state: State): string => {
  const { document } = state
  let text = ""
  for (const key of matchKeys) {
    if (!(key in document) && isOccasional(key)) continue
    text += `${text === "" ? "{" : ","}"${key}":${textOf(key, state, document)}`
  }
  return `${text}}`
}

const textOf = (key: string, state: State, document: CompactMatch): string => {
  switch (key) {
    case "maps":
      return listText(document.maps, fullMap)
    case "players":
      return listText(document.players, fullPlayer)
    case "rounds":
      return listText(document.rounds, fullRound)
    case "teams":
      return `[${partText("", document.team1, fullTeam)},${partText("", document.team2, fullTeam)}]`
    case "game":
      return JSON.stringify(fullGame(state))
    default:
      return JSON.stringify(fieldOf(key, state))
  }
}

/** Maps, players, rounds, teams and `game` have their own conversions. */
const fieldOf = (key: string, state: State): unknown => {
  switch (key) {
    case "updatedAt":
      return extrasOf(state).updatedAt ?? state.observedAt
    case "lastEvent":
      return extrasOf(state).last
    case "timeout":
      return state.document.timeout === undefined ? null : withNulls(timeoutKeys, state.document.timeout)
    default:
      return (state.document as JsonObject)[key] ?? null
  }
}

const withNulls = (keys: ReadonlyArray<string>, part: object): Record<string, unknown> => {
  const full: Record<string, unknown> = {}
  for (const key of keys) full[key] = (part as JsonObject)[key] ?? null
  return full
}

type Expand<Part> = (key: string, part: Part) => object

const fullTeam: Expand<CompactMatch["team1"]> = (_, team) => withNulls(teamKeys, team)

const fullPlayer: Expand<CompactMatch["players"][LivePlayer["id"]]> = (id, player) => {
  const full = withNulls(playerKeys, player)
  full["id"] = id
  return full
}

const fullRound: Expand<CompactMatch["rounds"][string]> = (number, round) => {
  const full = withNulls(roundKeys, round)
  full["round"] = Number(number)
  return full
}

const fullMap: Expand<CompactMatch["maps"][string]> = (number, map) => {
  const full = withNulls(mapKeys, map)
  full["mapNumber"] = Number(number)
  full["players"] = Object.entries(map.players).map(([id, line]) => {
    const fullLine = withNulls(lineKeys, line)
    fullLine["id"] = id
    return fullLine
  })
  return full
}

const fullGame = (state: State): object | null => {
  const { game } = state.document
  if (game === undefined) return null
  const full = withNulls(gameKeys, game)
  full["clockSeconds"] = game.clockSeconds ?? extrasOf(state).clock ?? null
  if (game.bomb !== undefined) full["bomb"] = withNulls(bombKeys, game.bomb)
  return full
}

const texts = new WeakMap<object, string>()

const partText = <Part extends object>(key: string, part: Part, expand: Expand<Part>): string => {
  let text = texts.get(part)
  if (text === undefined) {
    text = JSON.stringify(expand(key, part))
    texts.set(part, text)
  }
  return text
}

/** Cached as a whole, because lists rarely change. */
const listText = <Part extends object>(parts: Readonly<Record<string, Part>>, expand: Expand<Part>): string => {
  const known = texts.get(parts)
  if (known !== undefined) return known
  let text = ""
  for (const key in parts) {
    const part = parts[key]
    if (part !== undefined) text += `${text === "" ? "" : ","}${partText(key, part, expand)}`
  }
  const list = `[${text}]`
  texts.set(parts, list)
  return list
}
