/** Converts a match in a results file to an archived match. */
import { accept, type ReadRecord, reject } from "@matchpoint/game/feed/import/ImportSource"
import { Result, Schema } from "effect"
import type { ArchivedGame, ArchivedMatch, ArchivedPlayerStats, TeamRef, TeamSlot } from "../../../rules/archive/ArchivedMatch.ts"
import { mapIdOf } from "../../../rules/archive/maps.ts"
import { HLTV } from "../issuers.ts"
import { decimal, halves, killsAndDeaths, score, share } from "./numbers.ts"
import { type ResultMap, ResultRecord } from "./ResultRecord.ts"
import { readVeto } from "./veto.ts"

const SOURCE = "results"

const decode = Schema.decodeUnknownResult(ResultRecord)

/** Map name of a forfeited map or of the maps of a forfeited series. */
const NO_MAP = "Default"

/**
 * `notAfter` is the latest possible start of a match without a date, in epoch milliseconds, by the order of the file,
 * which is newest first. Such a match is dated to the day of `notAfter`, with low confidence. In the files seen so far,
 * that day is right or one or two days late.
 */
export const readResult = (record: unknown, notAfter?: number): ReadRecord<ArchivedMatch> =>
  Result.match(decode(record), {
    onFailure: (issue) => reject(`malformed match: ${String(issue)}`, record),
    onSuccess: (match) =>
      Result.match(matchOf(match, notAfter), { onSuccess: (read) => accept(read), onFailure: (reason) => reject(reason, record) }),
  })

const DAY_MS = 86_400_000

const matchOf = (match: ResultRecord, notAfter: number | undefined): Result.Result<ArchivedMatch, string> => {
  const startsAt = match.date ?? (notAfter === undefined ? undefined : Math.floor(notAfter / DAY_MS) * DAY_MS)
  if (startsAt === undefined) return Result.fail("neither this match nor one before it in the file has a date")
  const isDated = typeof match.date === "number"
  const teams = [teamOf(match, 0), teamOf(match, 1)] as const
  if (match["team1-id"] === match["team2-id"] && match.team1 === match.team2) return Result.fail("both teams are the same")
  const veto = readVeto(match.veto, [match.team1, match.team2])
  if (Result.isFailure(veto)) return Result.fail(veto.failure)
  const games: Array<ArchivedGame> = []
  for (const map of match.maps) {
    // A forfeited map has no name, so it counts only in the score of the series.
    if (map.map === NO_MAP) continue
    const game = gameOf(map, games.length + 1, veto.success)
    if (Result.isFailure(game)) return Result.fail(game.failure)
    if (game.success !== undefined) games.push(game.success)
  }
  const score: readonly [number, number] = [match.team1score, match.team2score]
  const best = /^Best of (\d+)\b/.exec(match.format)
  const isLan = match.format.includes("(LAN)") ? true : match.format.includes("(Online)") ? false : undefined
  return Result.succeed({
    source: SOURCE,
    key: String(match["match-id"]),
    status: "completed",
    startsAt,
    startsPrecision: isDated ? "minute" : "day",
    event: { name: match.event, isLan },
    stageName: match.stage.trim() === "" ? undefined : match.stage.trim(),
    bestOf: best === null ? undefined : Number(best[1]),
    isLan,
    teams,
    score,
    winner: score[0] === score[1] ? undefined : score[0] > score[1] ? 0 : 1,
    // A match without played maps is a forfeit if at least one map has the placeholder name.
    isForfeit: match.maps.some(({ map }) => map === NO_MAP) && match.maps.every(({ status }) => status === "not_played"),
    veto: veto.success.length === 0 ? undefined : veto.success,
    lineups: [lineupOf(match, 0), lineupOf(match, 1)],
    games,
    confidence: isDated ? "high" : "low",
  })
}

/** Undefined if the map was not played because the series had been decided earlier. */
const gameOf = (
  map: ResultMap,
  mapNumber: number,
  veto: ReadonlyArray<{ readonly action: string; readonly map: string; readonly team: TeamSlot | null }>,
): Result.Result<ArchivedGame | undefined, string> => {
  const id = mapIdOf(map.map)
  if (id === undefined) return Result.fail(`unknown map: ${map.map}`)
  if (map.status === "not_played") return Result.succeed(undefined)
  const one = score(map.team1.score)
  const two = score(map.team2.score)
  if (one === undefined || two === undefined) return Result.fail(`malformed score of ${map.map}: ${map.team1.score} - ${map.team2.score}`)
  const mapHalves = halves(map.half_scores)
  if (mapHalves === undefined) return Result.fail(`malformed scores of halves: ${map.half_scores}`)
  if (sum(mapHalves.map(({ team1 }) => team1)) !== one || sum(mapHalves.map(({ team2 }) => team2)) !== two) {
    return Result.fail(`the halves of ${map.map} ${map.half_scores} do not add up to ${one}:${two}`)
  }
  const lines: Array<ArchivedPlayerStats> = []
  for (const [team, side] of [map.players.team1, map.players.team2].entries()) {
    for (const entry of side) {
      const line = lineOf(entry, team === 0 ? 0 : 1, one + two)
      if (line === undefined)
        return Result.fail(`malformed statistics of a player on ${map.map}: ${entry.name} ${entry.kd} ${entry.adr} ${entry.kast}`)
      lines.push(line)
    }
  }
  return Result.succeed({
    mapNumber,
    map: id,
    resultType: "played",
    score: [one, two],
    halves: mapHalves,
    pickedBy: veto.find((step) => step.map === id && step.action !== "ban")?.team,
    winner: one === two ? undefined : one > two ? 0 : 1,
    lines,
    rounds: [],
    events: [],
  })
}

/** Leaves the rating out: `svc_rating_1` needs assists, which these files lack, and their own rating uses another formula. */
const lineOf = (entry: ResultMap["players"]["team1"][number], team: TeamSlot, rounds: number): ArchivedPlayerStats | undefined => {
  const counted = killsAndDeaths(entry.kd)
  const adr = decimal(entry.adr)
  const kast = share(entry.kast)
  if (counted === undefined || (adr === undefined && entry.adr.trim() !== "-") || (kast === undefined && entry.kast.trim() !== "-"))
    return undefined
  return { player: { nickname: entry.name }, team, rounds, kills: counted[0], deaths: counted[1], adr, kast }
}

/** The few teams without a number in the file are identified by name. */
const teamOf = (match: ResultRecord, team: TeamSlot): TeamRef => {
  const [id, name] = team === 0 ? [match["team1-id"], match.team1] : [match["team2-id"], match.team2]
  return { key: id === null ? undefined : String(id), issuer: HLTV, name }
}

const lineupOf = (match: ResultRecord, team: TeamSlot) => {
  const names = new Set(match.maps.flatMap(({ players }) => (team === 0 ? players.team1 : players.team2).map(({ name }) => name)))
  return [...names].map((nickname) => ({ nickname }))
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)
