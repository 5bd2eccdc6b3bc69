/**
 * Reads a whole export of team pages into records, in the order in which they must be written: teams with their
 * players, past matches, upcoming matches. A malformed file or entry is skipped without affecting the others.
 */
import { jsonAs } from "@matchpoint/game/feed/import/files"
import { accept, type ImportFile, type ReadRecord, reject, type UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Schema } from "effect"
import type { TeamDetails } from "../../../archive/writer/reports.ts"
import type { ArchivedMatch, PlayerRef, TeamRef } from "../../../rules/archive/ArchivedMatch.ts"
import { nameKey } from "../../../rules/archive/names.ts"
import { HLTV } from "../issuers.ts"
import { Calendar, Manifest, RecentMap, RecentMaps, TeamAliases, TeamIndex, TeamPlayers, UpcomingMatch } from "./pages.ts"
import { type SeenMap, seriesOf, TEAM_PAGES } from "./series.ts"

export type PageRecord =
  | {
      readonly kind: "team"
      readonly at: number
      readonly team: TeamDetails
      readonly players: ReadonlyArray<PlayerRef>
      /** Names of opponents that have no page in the export. */
      readonly apartFrom: ReadonlySet<string>
    }
  | { readonly kind: "match"; readonly match: ArchivedMatch }

export const readPages = Effect.fn("import.readPages")(function* (manifest: ImportFile) {
  yield* jsonAs(manifest, Manifest)
  const root = manifest.name.slice(0, manifest.name.lastIndexOf("/") + 1)
  const records: Array<ReadRecord<PageRecord>> = []

  /** Undefined if the file does not exist or is malformed. A malformed file is also recorded as a rejection. */
  const page = Effect.fnUntraced(function* <A, I>(name: string, schema: Schema.Codec<A, I>) {
    const file = manifest.companions.get(root + name)
    if (file === undefined) return undefined
    const read = yield* Effect.result(jsonAs(file, schema))
    if (Result.isSuccess(read)) return read.success
    records.push(reject(`${name}: ${read.failure.reason}`, null))
    return undefined
  })

  const index = yield* page("teams/index.json", TeamIndex)
  const aliases = Map.groupBy((yield* page("teams/aliases.json", TeamAliases))?.aliases ?? [], (entry) => entry.hltv_id)
  const teams = (index?.teams ?? []).map((entry): TeamDetails => {
    const spellings = [entry.name_zh ?? "", ...(aliases.get(entry.hltv_id) ?? []).map(({ alias }) => alias)]
    // An alias that consists only of digits is an id of the source, not a team name.
    const otherNames = [...new Set(spellings)].filter((text) => text !== "" && text !== entry.name && !/^\d+$/.test(text))
    return { key: String(entry.hltv_id), issuer: HLTV, name: entry.name, aliases: otherNames }
  })
  const named = teamsByName(teams)
  const seen: Array<SeenMap> = []
  const apartFrom = new Set<string>()
  for (const team of teams) {
    const players = yield* page(`teams/${team.key}/players.json`, TeamPlayers)
    const roster = (players?.players ?? []).map(({ player_name: name }) => ({ nickname: name }))
    records.push(accept({ kind: "team", at: timeOf(index?.metadata), team, players: roster, apartFrom }))
    const overall = yield* page(`teams/${team.key}/recent-overall.json`, RecentMaps)
    const lan = new Set(((yield* page(`teams/${team.key}/recent-lan.json`, RecentMaps))?.matches ?? []).map(sameMap))
    for (const entry of overall?.matches ?? []) {
      const map = decodeMap(entry)
      if (Result.isFailure(map)) records.push(reject(`malformed map of a match: ${String(map.failure)}`, entry))
      else {
        const opponent = named(map.success.opponent_name)
        if (opponent.key === undefined) apartFrom.add(opponent.name)
        if (opponent.key !== team.key) seen.push({ team, opponent, map: map.success, isLan: lan.has(sameMap(entry)) })
      }
    }
  }
  const series = seriesOf(seen)
  for (const { reason, record } of series.rejections) records.push(reject(reason, record))
  for (const match of series.matches.toSorted((a, b) => a.startsAt - b.startsAt || (a.key < b.key ? -1 : 1))) {
    records.push(accept({ kind: "match", match }))
  }

  const calendar = yield* page("calendar/upcoming.json", Calendar)
  for (const entry of calendar?.matches ?? []) records.push(upcomingOf(entry))
  return records
}) satisfies (manifest: ImportFile) => Effect.Effect<ReadonlyArray<ReadRecord<PageRecord>>, UnreadableFile>

const decodeMap = Schema.decodeUnknownResult(RecentMap)
const decodeUpcoming = Schema.decodeUnknownResult(UpcomingMatch)

/** Returns the same key for both entries of a map that appears in both files of a team page. */
const sameMap = (entry: unknown): string => {
  const map = decodeMap(entry)
  if (Result.isFailure(map)) return ""
  const { event_name, map_name, match_date, opponent_name, result } = map.success
  return JSON.stringify([match_date, event_name, opponent_name, map_name, result])
}

/** Pages identify opponents only by name. A name identifies a team only if no other team in the export has it. */
const teamsByName = (teams: ReadonlyArray<TeamDetails>): ((name: string) => TeamRef) => {
  const known = new Map<string, TeamDetails | null>()
  for (const team of teams) {
    for (const key of new Set([team.name, ...(team.aliases ?? [])].map(nameKey))) known.set(key, known.has(key) ? null : team)
  }
  return (name) => {
    const key = nameKey(name)
    const team = known.get(key)
    return team ? { key: team.key, issuer: HLTV, name: team.name } : { name }
  }
}

const upcomingOf = (entry: unknown): ReadRecord<PageRecord> => {
  const decoded = decodeUpcoming(entry)
  if (Result.isFailure(decoded)) return reject(`malformed upcoming match: ${String(decoded.failure)}`, entry)
  const upcoming = decoded.success
  const startsAt = Date.parse(upcoming.match_time)
  if (upcoming.status !== "upcoming") return reject(`the status is ${upcoming.status}, not upcoming`, entry)
  if (Number.isNaN(startsAt)) return reject(`malformed time: ${upcoming.match_time}`, entry)
  const best = /^bo(\d)$/.exec(upcoming.match_format ?? "")
  return accept({
    kind: "match",
    match: {
      source: TEAM_PAGES,
      key: String(upcoming.hltv_match_id),
      status: "upcoming",
      startsAt,
      startsPrecision: "minute",
      event: { name: upcoming.event_name, tier: upcoming.event_tier ?? undefined },
      bestOf: best === null ? undefined : Number(best[1]),
      teams: [
        { key: String(upcoming.team1_hltv_id), issuer: HLTV, name: upcoming.team1_name },
        { key: String(upcoming.team2_hltv_id), issuer: HLTV, name: upcoming.team2_name },
      ],
      lineups: [[], []],
      games: [],
      confidence: "medium",
    },
  })
}

const timeOf = (metadata: { readonly requested_at: string } | undefined): number => {
  const time = Date.parse(metadata?.requested_at ?? "")
  return Number.isNaN(time) ? 0 : time
}
