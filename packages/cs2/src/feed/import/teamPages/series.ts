/**
 * Builds matches from the maps on team pages. Maps with the same day, event and pair of teams form one match. If the
 * pages of both teams contain the match, the more complete one is used.
 *
 * Data that the pages lack stays unknown: the time of day, the format and the lineups. Only some pages contain the
 * order of the maps. Without it, the maps are put into a plausible order, with low confidence.
 */
import type { Rejection } from "@matchpoint/game/feed/import/ImportSource"
import type { ArchivedGame, ArchivedMatch, TeamRef } from "../../../rules/archive/ArchivedMatch.ts"
import { mapIdOf } from "../../../rules/archive/maps.ts"
import { nameKey } from "../../../rules/archive/names.ts"
import type { RecentMap } from "./pages.ts"

/** Source name in the archive. Not that of `results`, which contains the same matches under different keys. */
export const TEAM_PAGES = "team-pages"

/** A map on the page of `team`. The page contains only the name of the opponent, which the caller resolves to a team. */
export interface SeenMap {
  readonly team: TeamRef
  readonly opponent: TeamRef
  readonly map: RecentMap
  readonly isLan: boolean
}

export interface Series {
  readonly matches: ReadonlyArray<ArchivedMatch>
  readonly rejections: ReadonlyArray<Rejection>
}

export const seriesOf = (seen: ReadonlyArray<SeenMap>): Series => {
  const matches: Array<ArchivedMatch> = []
  const rejections: Array<Rejection> = []
  for (const [key, views] of Map.groupBy(seen, keyOf)) {
    const view = fullest(views)
    const reason = key === undefined ? "malformed day" : notOneSeries(view)
    if (key === undefined || reason !== undefined) rejections.push({ reason: reason ?? "", record: view.map(({ map }) => map) })
    else matches.push(matchOf(key, view))
  }
  return { matches, rejections }
}

/** Undefined if the day is malformed. */
const keyOf = ({ map, opponent, team }: SeenMap): string | undefined => {
  const day = dayOf(map.match_date)
  return day === undefined ? undefined : `${day}/${nameKey(map.event_name)}/${[keyOfTeam(team), keyOfTeam(opponent)].toSorted().join("/")}`
}

const keyOfTeam = ({ key, name }: TeamRef): string => key ?? nameKey(name)

/** 2026-06-15, from either `15/06/26` or `2026-06-15T00:00:00.000Z`. Undefined if malformed. */
export const dayOf = (text: string): string | undefined => {
  const short = /^(\d\d)\/(\d\d)\/(\d\d)$/.exec(text)
  const day = short === null ? text.slice(0, 10) : `20${short[3]}-${short[2]}-${short[1]}`
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined
}

/** Prefers the page with the most maps, then one with the order of the maps, then that of the team with the lower key. */
const fullest = (views: ReadonlyArray<SeenMap>): ReadonlyArray<SeenMap> => {
  const pages = [...Map.groupBy(views, ({ team }) => keyOfTeam(team)).entries()]
  const ranked = pages.map(([key, view]) => ({ key, view, order: Number(isOrdered(view)) }))
  ranked.sort((a, b) => b.view.length - a.view.length || b.order - a.order || (a.key < b.key ? -1 : 1))
  return ranked[0]?.view ?? []
}

const isOrdered = (view: ReadonlyArray<SeenMap>): boolean =>
  view.every(({ map }) => typeof map.match_order === "number") && new Set(view.map(({ map }) => map.match_order)).size === view.length

/** Why the maps cannot belong to one match, if so: the pages do not separate the matches of two teams on the same day. */
const notOneSeries = (view: ReadonlyArray<SeenMap>): string | undefined => {
  const unread = view.find(({ map }) => scoreOf(map) === undefined || mapIdOf(map.map_name) === undefined)
  if (unread !== undefined) return `malformed map or result: ${unread.map.map_name} ${unread.map.result}`
  if (new Set(view.map(({ map }) => mapIdOf(map.map_name))).size < view.length)
    return "a map appears twice: the teams played more than one match that day"
  const [won, lost] = winsOf(view)
  if (won === lost) return `${won}:${lost} on maps: a map is missing, or the teams played more than one match that day`
  // No match is long enough for more than three won maps, for example 4:1.
  return Math.max(won, lost) > 3 ? `${won}:${lost} on maps: the teams played more than one match that day` : undefined
}

const matchOf = (key: string, view: ReadonlyArray<SeenMap>): ArchivedMatch => {
  const [first] = view
  if (first === undefined) throw new Error("a match needs at least one map")
  const [won, lost] = winsOf(view)
  const isLan = view.some((map) => map.isLan) || undefined
  const ordered = isOrdered(view)
  const { event_name: name, event_tier: tier } = first.map
  return {
    source: TEAM_PAGES,
    key,
    status: "completed",
    startsAt: Date.parse(key.slice(0, 10)),
    startsPrecision: "day",
    event: { name, tier: tier ?? undefined, isLan },
    isLan,
    teams: [first.team, first.opponent],
    score: [won, lost],
    winner: won > lost ? 0 : 1,
    lineups: [[], []],
    games: inOrder(view, ordered, won > lost).map(gameOf),
    confidence: ordered ? "medium" : "low",
  }
}

/**
 * Sorts in the listed order, if the page contains one. Otherwise in a plausible order in which the winner of the match
 * wins the last map: first one map that the winner won, then those that the winner lost, then the other won ones.
 */
const inOrder = (view: ReadonlyArray<SeenMap>, ordered: boolean, firstWon: boolean): ReadonlyArray<RecentMap> => {
  const maps = view.map(({ map }) => map)
  if (ordered) return maps.toSorted((a, b) => (b.match_order ?? 0) - (a.match_order ?? 0))
  const byName = maps.toSorted((a, b) => (a.map_name < b.map_name ? -1 : 1))
  const [first, ...rest] = byName.filter((map) => isWon(map) === firstWon)
  return [...(first === undefined ? [] : [first]), ...byName.filter((map) => isWon(map) !== firstWon), ...rest]
}

const gameOf = (map: RecentMap, index: number): ArchivedGame => ({
  mapNumber: index + 1,
  map: mapIdOf(map.map_name) ?? map.map_name,
  resultType: "played",
  score: scoreOf(map),
  winner: isWon(map) ? 0 : 1,
  lines: [],
  rounds: [],
  events: [],
})

const winsOf = (view: ReadonlyArray<SeenMap>): readonly [number, number] => {
  const won = view.filter(({ map }) => isWon(map)).length
  return [won, view.length - won]
}

const isWon = (map: RecentMap): boolean => {
  const [own, other] = scoreOf(map) ?? [0, 0]
  return own > other
}

/** Parses `10 - 13`. Undefined for any other text and for a draw, because no map ends in a draw. */
const scoreOf = ({ result }: RecentMap): readonly [number, number] | undefined => {
  const found = /^(\d{1,3}) - (\d{1,3})$/.exec(result.trim())
  return found === null || found[1] === found[2] ? undefined : [Number(found[1]), Number(found[2])]
}
