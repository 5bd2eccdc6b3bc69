import type { ApexGame, ApexTeamGame } from "./series.ts"
import { sumOrNull } from "./standings.ts"

export interface LegendCount {
  readonly legend: string
  readonly picks: number
  /** Share of the teams' games in which the team picked the legend, 0 to 1. A team picks a legend at most once. */
  readonly pickRate: number
  readonly kills: number | null
  readonly damage: number | null
  readonly wins: number
  readonly bans: number
  /** Share of the games with known bans in which the legend was banned, 0 to 1. `null` if no bans are known. */
  readonly banRate: number | null
}

export interface CompositionCount {
  /** Legends of the team in alphabetical order. */
  readonly legends: ReadonlyArray<string>
  readonly picks: number
  readonly pickRate: number
  readonly wins: number
  readonly averagePlacement: number | null
  readonly kills: number | null
}

/** Legends that were picked or banned, most picks first. */
export const countLegends = (games: ReadonlyArray<ApexGame>): ReadonlyArray<LegendCount> => {
  const teams = teamsWithLegends(games)
  const picks = groupBy(
    teams.flatMap((team) => team.players.flatMap((player) => (player.legend === null ? [] : [{ legend: player.legend, player, team }]))),
    ({ legend }) => legend,
  )
  const withBans = games.filter(({ bannedLegends }) => bannedLegends !== null)
  const bans = groupBy(
    withBans.flatMap(({ bannedLegends }) => bannedLegends ?? []),
    (legend) => legend,
  )
  return [...new Set([...picks.keys(), ...bans.keys()])]
    .map((legend): LegendCount => {
      const picked = picks.get(legend) ?? []
      const banned = bans.get(legend)?.length ?? 0
      return {
        legend,
        picks: picked.length,
        pickRate: share(picked.length, teams.length),
        kills: sumOrNull(picked.map(({ player }) => player.kills)),
        damage: sumOrNull(picked.map(({ player }) => player.statistics.damage)),
        wins: picked.filter(({ team }) => team.placement === 1).length,
        bans: banned,
        banRate: withBans.length === 0 ? null : share(banned, withBans.length),
      }
    })
    .toSorted((one, other) => other.picks - one.picks || other.bans - one.bans || (one.legend < other.legend ? -1 : 1))
}

/** Counts only teams whose players all have a known legend, most picks first. */
export const countCompositions = (games: ReadonlyArray<ApexGame>): ReadonlyArray<CompositionCount> => {
  const teams = teamsWithLegends(games)
  const groups = groupBy(teams, ({ players }) =>
    players
      .map(({ legend }) => legend)
      .toSorted()
      .join("\n"),
  )
  return [...groups]
    .map(
      ([legends, played]): CompositionCount => ({
        legends: legends.split("\n"),
        picks: played.length,
        pickRate: share(played.length, teams.length),
        wins: played.filter(({ placement }) => placement === 1).length,
        averagePlacement: averageOf(played.map(({ placement }) => placement)),
        kills: sumOrNull(played.map(({ kills }) => kills)),
      }),
    )
    .toSorted((one, other) => other.picks - one.picks || other.wins - one.wins || (one.legends.join() < other.legends.join() ? -1 : 1))
}

/** Two decimals. Null if a value is unknown or there is none. */
export const averageOf = (values: ReadonlyArray<number | null>): number | null => {
  const sum = sumOrNull(values)
  return sum === null || values.length === 0 ? null : round(sum / values.length, 100)
}

/** Groups in the order of their first values. */
export const groupBy = <A>(values: ReadonlyArray<A>, keyOf: (value: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}

const teamsWithLegends = (games: ReadonlyArray<ApexGame>): ReadonlyArray<ApexTeamGame> =>
  games.flatMap(({ teams }) => teams.filter(({ players }) => players.length > 0 && players.every(({ legend }) => legend !== null)))

const share = (part: number, whole: number): number => (whole === 0 ? 0 : round(part / whole, 10_000))

const round = (value: number, precision: number): number => Math.round(value * precision) / precision
