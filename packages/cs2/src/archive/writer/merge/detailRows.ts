/** Converts the player statistics, weapons, rounds and events of a game map to table rows. */
import type { ArchivedGame, ArchivedPlayerStats } from "../../../rules/archive/ArchivedMatch.ts"
import type { Row } from "../bulk.ts"
import type { ResolvedMatch } from "../identity/resolveMatch.ts"
import { type GameRow, isoTime } from "../rows.ts"
import { type OrientedReport, oriented, teamOfSlot } from "./mergeSeries.ts"

const orNull = <A>(value: A | undefined): A | null => value ?? null

/** If a map has two entries for the same player, the first is used. */
export const lineRows = (resolved: ResolvedMatch, report: OrientedReport, game: ArchivedGame, row: GameRow) => {
  const lines = new Map<number, Row>()
  const weapons: Array<Row> = []
  const of = { match_number: row.match_number, map_number: row.map_number }
  for (const line of game.lines) {
    const player_number = resolved.playerOf(line.player, line.team).number
    if (lines.has(player_number)) continue
    lines.set(player_number, {
      ...of,
      player_number,
      team_number: teamOfSlot(report, line.team),
      ...lineColumns(line),
      source: report.match.source,
    })
    for (const [weapon, { headshots, kills }] of weaponTotals(line)) weapons.push({ ...of, player_number, weapon, kills, headshots })
  }
  return { lines: [...lines.values()], weapons }
}

const weaponTotals = ({ weapons = [] }: ArchivedPlayerStats) => {
  const totals = new Map<string, { kills: number; headshots: number }>()
  for (const { headshots, kills, weapon } of weapons) {
    const total = totals.get(weapon)
    totals.set(weapon, { kills: (total?.kills ?? 0) + kills, headshots: (total?.headshots ?? 0) + headshots })
  }
  return totals
}

const lineColumns = (line: ArchivedPlayerStats) => ({
  rounds: line.rounds,
  kills: line.kills,
  deaths: line.deaths,
  assists: orNull(line.assists),
  headshots: orNull(line.headshots),
  first_kills: orNull(line.firstKills),
  first_deaths: orNull(line.firstDeaths),
  kast: orNull(line.kast),
  adr: orNull(line.adr),
  rating: orNull(line.rating),
  damage: orNull(line.damage),
  utility_damage: orNull(line.utilityDamage),
  flash_assists: orNull(line.flashAssists),
  trade_kills: orNull(line.tradeKills),
  multi_kills: orNull(line.multiKills),
  clutch_attempts: orNull(line.clutches?.attempts),
  clutches_won: orNull(line.clutches?.won),
  clutches_won_1v1: orNull(line.clutches?.won1v1),
  clutches_won_1v2: orNull(line.clutches?.won1v2),
  clutches_won_1v3_plus: orNull(line.clutches?.won1v3Plus),
  flashes: orNull(line.utility?.flashes),
  smokes: orNull(line.utility?.smokes),
  fire_grenades: orNull(line.utility?.fireGrenades),
  he_grenades: orNull(line.utility?.heGrenades),
  decoys: orNull(line.utility?.decoys),
  purchases: orNull(line.economy?.purchases),
  total_spend: orNull(line.economy?.totalSpend),
  equipment_value: orNull(line.economy?.equipmentValue),
  equipment_snapshots: orNull(line.economy?.equipmentSnapshots),
  full_buy_rounds: orNull(line.economy?.fullBuyRounds),
  half_buy_rounds: orNull(line.economy?.halfBuyRounds),
  force_buy_rounds: orNull(line.economy?.forceBuyRounds),
  eco_or_pistol_rounds: orNull(line.economy?.ecoOrPistolRounds),
})

export const timelineRows = (resolved: ResolvedMatch, report: OrientedReport, game: ArchivedGame, row: GameRow) => {
  const of = { match_number: row.match_number, map_number: row.map_number }
  const rounds = new Map<number, Row>()
  for (const round of game.rounds) {
    const ct = teamOfSlot(report, round.ct)
    const t = teamOfSlot(report, round.ct === 0 ? 1 : 0)
    const [team1_score, team2_score] = oriented(round.score, report.swapped)
    rounds.set(round.round, {
      ...of,
      round: round.round,
      ct_team_number: ct,
      t_team_number: t,
      winner_side: round.winnerSide,
      winner_team_number: round.winnerSide === "CT" ? ct : t,
      win_type: round.winType,
      team1_score,
      team2_score,
      ct_equipment_value: orNull(round.ctEquipmentValue),
      t_equipment_value: orNull(round.tEquipmentValue),
      ct_buy_type: orNull(round.ctBuyType),
      t_buy_type: orNull(round.tBuyType),
      bomb_site: orNull(round.bombSite),
      duration_ms: orNull(round.durationMs),
    })
  }
  const events = game.events.map((event, index): Row => {
    const { assister, offsetMs, player, victim } = event
    const observedAt = event.observedAt ?? (offsetMs === undefined ? undefined : row.played_at + offsetMs)
    return {
      ...of,
      ordinal: index + 1,
      type: event.type,
      round: orNull(event.round),
      clock_ms: orNull(event.clockMs),
      observed_at: observedAt === undefined ? null : isoTime(observedAt),
      player_number: player === undefined ? null : resolved.playerOf(player, undefined).number,
      victim_number: victim === undefined ? null : resolved.playerOf(victim, undefined).number,
      assister_number: assister === undefined ? null : resolved.playerOf(assister, undefined).number,
      weapon: orNull(event.weapon),
      headshot: orNull(event.headshot),
      payload: event.payload ?? {},
    }
  })
  return { rounds: [...rounds.values()], events }
}
