/** Rows of the tables, made from the values that the writer receives. */
import type { ApexTransactionRow } from "../contract/http/data/statsModels.ts"
import type { ApexPlayer, ApexSeries, ApexTournament, ApexTransaction } from "../rules/archive/series.ts"
import { scoresOf } from "./series/scoresJson.ts"
import { bansOf, isPlayed, listingOf, matchesOf, missing, sortTimeOf } from "./series/seriesJson.ts"

export const seriesRowOf = (series: ApexSeries, hash: string) => ({
  series_id: series.seriesId,
  tournament_id: series.tournamentId,
  region: series.region,
  status: series.status,
  source: series.source,
  sort_at: sortTimeOf(series),
  hash,
  team_lines: teamLinesOf(series),
  content: series,
  listing: listingOf(series),
  scores: scoresOf(series),
  bans: bansOf(series),
})

export const gameRowsOf = (series: ApexSeries) =>
  matchesOf(series).map((details, index) => ({
    series_id: series.seriesId,
    game_number: details.gameNumber,
    tournament_id: series.tournamentId,
    region: series.region,
    status: details.status,
    map: details.map,
    sort_at: sortTimeOf(series, series.games[index]?.startedAt ?? null),
    details,
  }))

export const tournamentRowOf = (tournament: ApexTournament) => ({
  tournament_id: tournament.tournamentId,
  name: tournament.name,
  region: tournament.region,
  source: tournament.source,
  starts_on: tournament.startsOn,
  ends_on: tournament.endsOn,
  stated: tournament,
  is_stale: true,
})

export const playerRowOf = (player: ApexPlayer) => ({
  player_id: player.playerId,
  source: player.source,
  stated: player,
  name: player.name,
})

export const transactionRowOf = (transaction: ApexTransaction) => {
  const { after, before, day, playerId, playerName, region, source, teamName, transactionId, type } = transaction
  const player = playerId === null && playerName === null ? null : { playerId, name: playerName }
  const stated = { teamName, before, after, region, ...(type === "team_rename" ? {} : { player }) }
  const reasons = missing(stated)
  const details: ApexTransactionRow = { transactionId, type, day, player, teamName, before, after, region, source, reasons }
  return {
    transaction_id: transactionId,
    type,
    day,
    region,
    team_name: teamName,
    player_id: playerId,
    player_name: playerName,
    source,
    details,
  }
}

/** Results of each team in played games. Empty unless the series is imported: only imported series can be copies. */
const teamLinesOf = ({ games, source }: ApexSeries): ReadonlyArray<string> => {
  if (source !== "import") return []
  const lines = new Map<string, Array<string>>()
  for (const { gameNumber, teams } of games.filter(isPlayed)) {
    for (const { kills, placement, points, teamName } of teams) {
      const line = lines.get(teamName) ?? []
      line.push(`${gameNumber}:${placement}:${kills}:${points}`)
      lines.set(teamName, line)
    }
  }
  return [...lines].map(([teamName, line]) => `${teamName} ${line.join(" ")}`)
}
