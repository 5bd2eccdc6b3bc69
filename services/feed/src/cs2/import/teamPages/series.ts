/**
 * Matches from the maps that team pages list: maps of one day, event and pair of teams are one match. Two pages tell the same match from
 * two sides; the one that tells more is taken. Pure.
 *
 * What pages do not tell stays unknown: when on the day, best of how many, who stood in. The order of maps is told by some pages only;
 * where it is not, maps are in an order that could have been, and confidence is low.
 */
import type { ArchivedGame, ArchivedMatch, TeamRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { mapIdOf } from "@matchpoint/domain/cs2/archive/maps"
import { nameKey } from "@matchpoint/domain/cs2/archive/names"
import type { Rejection } from "../../../import/ImportSource.ts"
import type { RecentMap } from "./pages.ts"

/** As a source of its own: it tells matches that `results` tells too, by other keys. */
export const TEAM_PAGES = "team-pages"

/** A map on the page of `team`; the opponent is a name there, found out by whoever reads the pages. */
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
    const reason = key === undefined ? "not a day" : notOneSeries(view)
    if (key === undefined || reason !== undefined) rejections.push({ reason: reason ?? "", record: view.map(({ map }) => map) })
    else matches.push(matchOf(key, view))
  }
  return { matches, rejections }
}

/** Undefined: without a day there is no match. */
const keyOf = ({ map, opponent, team }: SeenMap): string | undefined => {
  const day = dayOf(map.match_date)
  return day === undefined ? undefined : `${day}/${nameKey(map.event_name)}/${[keyOfTeam(team), keyOfTeam(opponent)].toSorted().join("/")}`
}

const keyOfTeam = ({ key, name }: TeamRef): string => key ?? nameKey(name)

/** `15/06/26` and `2026-06-15T00:00:00.000Z` as 2026-06-15. */
export const dayOf = (text: string): string | undefined => {
  const short = /^(\d\d)\/(\d\d)\/(\d\d)$/.exec(text)
  const day = short === null ? text.slice(0, 10) : `20${short[3]}-${short[2]}-${short[1]}`
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined
}

/** What one team's page tells of it: the page that has the most maps, an order besides, and the lower key where both are alike. */
const fullest = (views: ReadonlyArray<SeenMap>): ReadonlyArray<SeenMap> => {
  const pages = [...Map.groupBy(views, ({ team }) => keyOfTeam(team)).entries()]
  const ranked = pages.map(([key, view]) => ({ key, view, order: Number(isOrdered(view)) }))
  ranked.sort((a, b) => b.view.length - a.view.length || b.order - a.order || (a.key < b.key ? -1 : 1))
  return ranked[0]?.view ?? []
}

const isOrdered = (view: ReadonlyArray<SeenMap>): boolean =>
  view.every(({ map }) => typeof map.match_order === "number") && new Set(view.map(({ map }) => map.match_order)).size === view.length

/** Why these maps are not one match: teams can meet twice on a day, and nothing tells the two apart. */
const notOneSeries = (view: ReadonlyArray<SeenMap>): string | undefined => {
  const unread = view.find(({ map }) => scoreOf(map) === undefined || mapIdOf(map.map_name) === undefined)
  if (unread !== undefined) return `not a map and its result: ${unread.map.map_name} ${unread.map.result}`
  if (new Set(view.map(({ map }) => mapIdOf(map.map_name))).size < view.length) return "a map twice: the teams met more than once that day"
  const [won, lost] = winsOf(view)
  if (won === lost) return `${won}:${lost} on maps: one is missing, or the teams met more than once that day`
  // 4:1 and the like: no match is that long.
  return Math.max(won, lost) > 3 ? `${won}:${lost} on maps: the teams met more than once that day` : undefined
}

const matchOf = (key: string, view: ReadonlyArray<SeenMap>): ArchivedMatch => {
  const [first] = view
  if (first === undefined) throw new Error("a group has a member")
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

/** As told, or the winner's first, then those he lost, then the rest: a match ends with a map that its winner won. */
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

/** `10 - 13`; undefined: no result, or a draw, which no map ends in. */
const scoreOf = ({ result }: RecentMap): readonly [number, number] | undefined => {
  const found = /^(\d{1,3}) - (\d{1,3})$/.exec(result.trim())
  return found === null || found[1] === found[2] ? undefined : [Number(found[1]), Number(found[2])]
}
