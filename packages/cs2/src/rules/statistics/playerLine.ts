/**
 * Computes the statistics of each player on a map. Rates are relative to all rounds of the map, including rounds in
 * which the player did not take part and rounds that are missing from the record. Players who took part in no round are
 * omitted. The rating is `svc_rating_1` (`../rating.ts`), or undefined if damage is unknown.
 */
import type { ArchivedPlayerStats, ClutchTally } from "../archive/ArchivedMatch.ts"
import { rating } from "../rating.ts"
import { inOrder, type RoundInOrder } from "./buyTypes.ts"
import { type Clutch, clutchesOf, clutchTally } from "./clutches.ts"
import { damageOf } from "./damage.ts"
import { isAssistOf, isDeathOf, isFlashAssistOf, isKillOf, killsOf, openingOf, roundKillsOf, type Trades, tradesOf } from "./duels.ts"
import { earnsKast } from "./kast.ts"
import type { KillRecord, MapRecord, PlayerKey, PlayerOnMap, RoundRecord } from "./MapRecord.ts"
import { economyOf, utilityOf } from "./tallies.ts"

export const playerLines = (record: MapRecord): ReadonlyArray<ArchivedPlayerStats> => {
  const judged = inOrder(record.rounds).map(judge)
  const total = roundsPlayed(record)
  return record.players.flatMap((player) => lineOf(judged, total, player) ?? [])
}

/** The highest round number: rounds are numbered from 1, and the first ones may be missing from the record. */
const roundsPlayed = ({ rounds }: MapRecord): number => rounds.reduce((most, { number }) => Math.max(most, number), rounds.length)

/** A round with what is needed for every player (opening duel, trades and clutches), computed only once. */
interface JudgedRound extends RoundInOrder {
  readonly opening: KillRecord | undefined
  readonly trades: Trades
  readonly clutches: ReadonlyArray<Clutch>
}

const judge = (at: RoundInOrder): JudgedRound => ({
  ...at,
  opening: openingOf(at.round),
  trades: tradesOf(at.round),
  clutches: clutchesOf(at.round),
})

const lineOf = (all: ReadonlyArray<JudgedRound>, total: number, { key, player, team }: PlayerOnMap): ArchivedPlayerStats | undefined => {
  const played = all.filter(({ round }) => wasThere(round, key))
  if (played.length === 0) return undefined
  const rounds = played.map(({ round }) => round)
  const kills = rounds.flatMap((round) => round.kills)
  const count = (matches: (kill: KillRecord) => boolean) => kills.filter(matches).length
  const dealt = damageOf(rounds, key)
  const tally = {
    kills: killsOf(kills, key),
    deaths: count((kill) => isDeathOf(kill, key)),
    assists: count((kill) => isAssistOf(kill, key)),
    damage: dealt?.damage ?? 0,
    kastRounds: played.filter(({ round, trades }) => earnsKast(round, trades, key)).length,
  }
  return {
    player,
    team,
    rounds: total,
    kills: tally.kills,
    deaths: tally.deaths,
    assists: tally.assists,
    headshots: count((kill) => kill.headshot && isKillOf(kill, key)),
    firstKills: played.filter(({ opening }) => opening?.killer.player === key).length,
    firstDeaths: played.filter(({ opening }) => opening?.victim.player === key).length,
    kast: tally.kastRounds / total,
    adr: dealt === undefined ? undefined : dealt.damage / total,
    rating: dealt === undefined ? undefined : (rating(tally, total) ?? undefined),
    damage: dealt?.damage,
    utilityDamage: dealt?.utility,
    flashAssists: count((kill) => isFlashAssistOf(kill, key)),
    tradeKills: tradeKillsOf(played, key),
    multiKills: multiKillsOf(rounds, key),
    clutches: clutchTallyOf(played, key),
    utility: utilityOf(rounds, key),
    economy: economyOf(played, key),
    weapons: weaponsOf(kills, key),
  }
}

/** The player was present at the start, or is later the killer or the victim of a kill. */
const wasThere = (round: RoundRecord, player: PlayerKey): boolean =>
  round.present.some((one) => one.player === player) ||
  round.kills.some(({ killer, victim }) => killer.player === player || victim.player === player)

const tradeKillsOf = (played: ReadonlyArray<JudgedRound>, player: PlayerKey): number =>
  played.reduce((sum, { trades }) => sum + [...trades.kills].filter((kill) => isKillOf(kill, player)).length, 0)

const clutchTallyOf = (played: ReadonlyArray<JudgedRound>, player: PlayerKey): ClutchTally =>
  clutchTally(played.flatMap(({ clutches }) => clutches.filter((clutch) => clutch.player === player)))

/** Rounds with 1, 2, 3, 4 and 5 kills. Six are possible if one victim is a bot; they count as five. */
const multiKillsOf = (rounds: ReadonlyArray<RoundRecord>, player: PlayerKey): NonNullable<ArchivedPlayerStats["multiKills"]> => {
  const counts = rounds.map((round) => Math.min(5, roundKillsOf(round, player)))
  const of = (size: number) => counts.filter((kills) => kills === size).length
  return [of(1), of(2), of(3), of(4), of(5)]
}

const weaponsOf = (kills: ReadonlyArray<KillRecord>, player: PlayerKey): NonNullable<ArchivedPlayerStats["weapons"]> => {
  const byWeapon = new Map<string, { kills: number; headshots: number }>()
  for (const kill of kills) {
    if (!isKillOf(kill, player)) continue
    const counted = byWeapon.get(kill.weapon) ?? { kills: 0, headshots: 0 }
    counted.kills++
    if (kill.headshot) counted.headshots++
    byWeapon.set(kill.weapon, counted)
  }
  return [...byWeapon]
    .map(([weapon, counted]) => ({ weapon, ...counted }))
    .sort((a, b) => b.kills - a.kills || (a.weapon < b.weapon ? -1 : 1))
}
