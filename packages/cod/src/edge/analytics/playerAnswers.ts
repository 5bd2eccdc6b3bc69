/** Builds the responses about players from their sums. Pure. */
import type { AnalyticsPlayer, Period, PlayerMeetings, SeriesPoint } from "../../archive/analytics/PlayerAnalytics.ts"
import type { CodClutchFactor, CodComparison, CodPlayerHeadToHead, CodTrends } from "../../contract/http/analytics/playerAnalyticsModels.ts"
import { type ClutchCount, clutchesOf, MINIMUM_CLUTCHES } from "../../rules/analytics/clutches.ts"
import { type Gap, gapOf, type Measured, quotient } from "../../rules/analytics/gaps.ts"
import { addSums, noSums, type PlayerSums } from "../../rules/analytics/playerSums.ts"
import { type BoardPlace, type BoardStat, definitionOf, measure, stats, type TrendStat } from "../../rules/analytics/stats.ts"
import { MINIMUM_POINTS, trendOf } from "../../rules/analytics/trend.ts"
import { winShare } from "../../rules/archive/standings.ts"

type Answer<Model> = Omit<Model, "season" | "success">

export const trendsAnswer = (
  { ign, playerId }: AnalyticsPlayer,
  stat: TrendStat,
  period: Period,
  series: ReadonlyArray<SeriesPoint>,
): Answer<CodTrends> => {
  const points = series.flatMap(({ date, label, sums }) => {
    const { value } = measure(stat, sums)
    return value === null ? [] : [{ point: { label, value, date }, sums }]
  })
  const data = points.map(({ point }) => point)
  const average = measure(stat, addSums((points.length > 0 ? points : series).map(({ sums }) => sums)))
  const trend = trendOf(data.map(({ value }) => value))
  const { formula, unit } = definitionOf(stat)
  const tooShort: Gap = { field: "trend", reason: "too_few_points", sample: data.length, minimumSample: MINIMUM_POINTS }
  return {
    player: ign,
    playerId,
    stat,
    period,
    unit,
    formula,
    data,
    average: average.value,
    trend,
    gaps: [...gapOf("average", average), ...(trend === null ? [tooShort] : [])],
  }
}

/** `places` are the places of the player on the leaderboards. */
export const clutchAnswer = (
  { ign, playerId }: AnalyticsPlayer,
  sums: PlayerSums,
  places: Partial<Readonly<Record<BoardStat, BoardPlace>>>,
): Answer<CodClutchFactor> => {
  const counts = clutchesOf(sums)
  const record = ({ attempts, wins }: ClutchCount) => ({ attempts, wins, winPct: winShare(wins, attempts - wins) })
  const attempts = counts["1v1"].attempts + counts["1v2"].attempts + counts["1v3"].attempts
  const place = places.clutch_factor
  // Without a place, the sample is too small or nothing was recorded. The quotient only finds out which.
  const overall: Measured =
    place === undefined
      ? {
          ...quotient({
            numerator: 0,
            denominator: 0,
            sample: attempts,
            minimumSample: MINIMUM_CLUTCHES,
            decimals: 2,
            isRecorded: sums.clutchMaps > 0,
            maps: sums.maps,
          }),
          value: null,
        }
      : { value: place.value, sample: place.sample, minimumSample: MINIMUM_CLUTCHES, reason: null }
  const perRound = measure("first_blood_rate", sums, stats.first_blood_rate.minimumSample)
  const traded = measure("traded_death_rate", sums, stats.traded_death_rate.minimumSample)
  const isCounted = sums.firstBloodMaps > 0
  const notCounted: Gap = {
    field: "clutchFactor.firstBloods.total",
    reason: sums.maps === 0 ? "no_maps" : "not_recorded",
    sample: 0,
    minimumSample: 1,
  }
  return {
    player: ign,
    playerId,
    clutchFactor: {
      overall: overall.value,
      rank: place?.rank ?? null,
      breakdown: { "1v1": record(counts["1v1"]), "1v2": record(counts["1v2"]), "1v3": record(counts["1v3"]) },
      firstBloods: {
        total: isCounted ? sums.firstBloods : null,
        perRound: perRound.value,
        rank: places.first_blood_rate?.rank ?? null,
      },
      tradedDeaths: { rate: traded.value, rank: places.traded_death_rate?.rank ?? null },
    },
    gaps: [
      ...gapOf("clutchFactor.overall", overall),
      ...(isCounted ? [] : [notCounted]),
      ...gapOf("clutchFactor.firstBloods.perRound", perRound),
      ...gapOf("clutchFactor.tradedDeaths.rate", traded),
    ],
  }
}

export const headToHeadAnswer = (
  player1: AnalyticsPlayer,
  player2: AnalyticsPlayer,
  { matches, sums: [sums1, sums2], wins: [player1Wins, player2Wins] }: PlayerMeetings,
): Answer<CodPlayerHeadToHead> => {
  const both = (stat: TrendStat) => ({ player1: measure(stat, sums1), player2: measure(stat, sums2) })
  const measured = { kd: both("kd"), damagePer10: both("damage_per_10"), killsPer10: both("kills_per_10") }
  const values = ({ player1: one, player2: other }: ReturnType<typeof both>) => ({ player1: one.value, player2: other.value })
  return {
    player1,
    player2,
    matchesPlayed: matches,
    headToHead: { player1Wins, player2Wins },
    stats: { kd: values(measured.kd), damagePer10: values(measured.damagePer10), killsPer10: values(measured.killsPer10) },
    gaps: Object.entries(measured).flatMap(([name, { player1: one, player2: other }]) => [
      ...gapOf(`stats.${name}.player1`, one),
      ...gapOf(`stats.${name}.player2`, other),
    ]),
  }
}

export const comparisonAnswer = (players: ReadonlyArray<AnalyticsPlayer>, sums: ReadonlyMap<string, PlayerSums>): Answer<CodComparison> => {
  const measured = players.map((player) => {
    const own = sums.get(player.playerId) ?? noSums
    return { player, maps: own.maps, kd: measure("kd", own), damage: measure("damage", own), kills: measure("kills", own) }
  })
  return {
    count: players.length,
    players: measured.map(({ damage, kd, kills, maps, player }) => ({
      ...player,
      mapsPlayed: maps,
      stats: { kd: kd.value, damage: damage.value, kills: kills.value },
    })),
    gaps: measured.flatMap(({ damage, kd, kills }, index) => [
      ...gapOf(`players[${index}].stats.kd`, kd),
      ...gapOf(`players[${index}].stats.damage`, damage),
      ...gapOf(`players[${index}].stats.kills`, kills),
    ]),
  }
}
