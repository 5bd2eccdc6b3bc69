/**
 * A fully known season of matches, and the reports of three sources. `standings` report the day, the winner and the
 * players. `results` report scores, maps and lines, with their own team ids. `demos` report accounts, lines and rounds.
 * No two sources spell a team the same.
 */
import type { ArchivedMatch, PlayerRef, TeamRef } from "../../../src/rules/archive/ArchivedMatch.ts"
import { DAY, game, JANUARY, line, mirrored } from "./reportedMatches.ts"

/** Random numbers by xorshift. The same seed gives the same season. */
export const dice = (seed: number) => {
  let state = seed | 1
  return (sides: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return Math.abs(state) % sides
  }
}

export const shuffled = <A>(items: ReadonlyArray<A>, roll: (sides: number) => number): ReadonlyArray<A> => {
  const left = [...items]
  return items.flatMap(() => left.splice(roll(left.length), 1))
}

interface Side {
  /** Name of the team in each source. */
  readonly names: readonly [standings: string, results: string, demos: string]
  readonly id: number
  /** Players by handle. `from` and `until`: first and last day of the season on which the player plays. */
  readonly players: ReadonlyArray<{ readonly handle: string; readonly from?: number; readonly until?: number }>
  /** Name that the standings use from that day on. */
  readonly renamed?: { readonly day: number; readonly name: string }
}

const handles = (prefix: string) => [1, 2, 3, 4, 5].map((n) => ({ handle: `${prefix}${n}` }))

/**
 * Two teams of one name, a team that two sources name differently, a renamed team, and a team that signs another team's
 * player.
 */
export const sides: ReadonlyArray<Side> = [
  { id: 11, names: ["Alpha", "Team Alpha", "alpha"], players: handles("a") },
  { id: 12, names: ["Alpha", "ALPHA", "Alpha Esports"], players: handles("z") },
  { id: 13, names: ["Natus", "NV", "Natus"], players: handles("n") },
  {
    id: 14,
    names: ["Rho", "Rho Gaming", "rho"],
    players: [...handles("r").slice(0, 4), { handle: "r5", until: 20 }, { handle: "r6", from: 21 }],
    renamed: { day: 25, name: "Sigma" },
  },
  {
    id: 15,
    names: ["Čaro", "Caro", "caro"],
    players: [...handles("c").slice(0, 4), { handle: "c5", until: 15 }, { handle: "a9", from: 16 }],
  },
  {
    id: 16,
    names: ["Delta", "Delta", "DELTA"],
    players: [...handles("d").slice(0, 4), { handle: "a9", until: 14 }, { handle: "d9", from: 15 }],
  },
]

export interface Played {
  readonly day: number
  readonly startsAt: number
  readonly sides: readonly [Side, Side]
  readonly firstWon: boolean
}

export const season = (seed: number): ReadonlyArray<Played> => {
  const roll = dice(seed)
  const matches: Array<Played> = []
  for (let day = 0; day < 40; day += 3) {
    // Each team plays at most once a day, except for a rematch with the opposite result.
    const [one, two, three, four] = shuffled(sides, roll)
    if (one === undefined || two === undefined || three === undefined || four === undefined) continue
    const firstWon = roll(2) === 0
    const startsAt = JANUARY + day * DAY
    matches.push({ day, startsAt, sides: [one, two], firstWon })
    if (roll(3) === 0) matches.push({ day, startsAt: startsAt + 3_600_000 * 8, sides: [one, two], firstWon: !firstWon })
    matches.push({ day, startsAt, sides: [three, four], firstWon: roll(2) === 0 })
  }
  return matches
}

/** Returns the players of a team on that day. */
export const rosterOn = (side: Side, day: number): ReadonlyArray<string> =>
  side.players.filter(({ from = 0, until = 99 }) => from <= day && day <= until).map(({ handle }) => handle)

/** Returns reports of each match by at least one source, with the teams in any order. */
export const reportsOf = (matches: ReadonlyArray<Played>, seed: number): ReadonlyArray<ArchivedMatch> => {
  const roll = dice(seed + 7)
  return matches.flatMap((played) => {
    const reporters = shuffled([byStandings, byResults, byDemos], roll).slice(0, 1 + roll(3))
    return reporters.map((report) => (roll(2) === 0 ? report(played) : mirrored(report(played))))
  })
}

const keyOf = ({ sides: [one, two], startsAt }: Played): string => `${startsAt}/${one.id}/${two.id}`

const base = (played: Played, source: 0 | 1 | 2, ref: (handle: string) => PlayerRef) => {
  const names = played.sides.map((side) =>
    source === 0 && side.renamed !== undefined && side.renamed.day <= played.day ? side.renamed.name : side.names[source],
  )
  const teams: readonly [TeamRef, TeamRef] = [{ name: names[0] ?? "" }, { name: names[1] ?? "" }]
  const lineups = [rosterOn(played.sides[0], played.day).map(ref), rosterOn(played.sides[1], played.day).map(ref)] as const
  const winner: 0 | 1 = played.firstWon ? 0 : 1
  return { key: keyOf(played), status: "completed", teams, lineups, winner, games: [] } as const
}

const byStandings = (played: Played): ArchivedMatch => ({
  ...base(played, 0, (nickname) => ({ key: nickname, nickname })),
  source: "standings",
  startsAt: played.startsAt - (played.startsAt % DAY),
  startsPrecision: "day",
  confidence: "medium",
})

const byResults = (played: Played): ArchivedMatch => {
  const match = base(played, 1, (nickname) => ({ nickname: nickname.toUpperCase() }))
  return {
    ...match,
    source: "results",
    startsAt: played.startsAt,
    startsPrecision: "minute",
    bestOf: 3,
    teams: [
      { ...match.teams[0], key: String(played.sides[0].id) },
      { ...match.teams[1], key: String(played.sides[1].id) },
    ],
    score: played.firstWon ? [2, 0] : [0, 2],
    event: { name: "Season" },
    confidence: "high",
  }
}

/**
 * Reports one map with lines. Accounts are identified by their team: for a player who has moved, the owner of an
 * account would be unclear.
 */
const byDemos = (played: Played): ArchivedMatch => {
  const account = (nickname: string): PlayerRef => ({
    key: nickname,
    nickname,
    playerNumber: nickname === "a9" ? undefined : 1000 + nickname.charCodeAt(0) * 10 + Number(nickname[1]),
  })
  const match = base(played, 2, account)
  return {
    ...match,
    source: "demos",
    startsAt: played.startsAt + 600_000,
    startsPrecision: "minute",
    confidence: "low",
    games: [
      game(1, "de_mirage", {
        score: undefined,
        lines: match.lineups.flat().map((player, index) => line(player, index < match.lineups[0].length ? 0 : 1, { kills: index })),
      }),
    ],
  }
}
