/**
 * Generates server logs for tests: rounds won in a given order, with kills, on sides that follow the rules of the map.
 * Each post contains the lines of one time.
 */
import { competitiveRules, type MatchRules, onStartingSides, type TeamIndex } from "@matchpoint/cs2/rules/live/rules"

export interface WrittenMap {
  readonly map: string
  /** Team names as shown by the server. The first team starts as CT. */
  readonly names: readonly [string, string]
  /** Winner of each round. */
  readonly rounds: ReadonlyArray<TeamIndex>
  readonly rules?: MatchRules
  /** Epoch milliseconds of the first line. */
  readonly startsAt: number
  /** If false, the log has no players, so that only names identify the teams. */
  readonly hasPlayers?: boolean
}

const ROUND_MS = 60_000

/** Returns the posts in order, each with its time. */
export const writtenLog = ({ hasPlayers = true, map, names, rounds, rules = competitiveRules, startsAt }: WrittenMap) => {
  const posts: Array<{ readonly at: number; readonly lines: ReadonlyArray<string>; readonly round: number }> = []
  const won: [number, number] = [0, 0]
  const post = (round: number, at: number, ...texts: ReadonlyArray<string>) =>
    posts.push({ at, round, lines: texts.map((text) => `${stampOf(at)} - ${text}`) })
  const ctOf = (round: number): TeamIndex => (onStartingSides(round, rules) ? 0 : 1)
  const scoreText = (ct: TeamIndex) => `${won[ct]}:${won[ct === 0 ? 1 : 0]}`
  const player = (team: TeamIndex, number: 1 | 2, ct: TeamIndex) => {
    const id = 100 + team * 10 + number
    return `"p${id}<${id}><[U:1:${id}]><${team === ct ? "CT" : "TERRORIST"}>"`
  }
  for (const [index, winner] of rounds.entries()) {
    const round = index + 1
    const at = startsAt + index * ROUND_MS
    const ct = ctOf(round)
    const loser: TeamIndex = winner === 0 ? 1 : 0
    post(
      round,
      at,
      "Starting Freeze period",
      ...(round === 1 ? [`World triggered "Match_Start" on "${map}"`] : []),
      `Team playing "CT": ${names[ct]}`,
      `Team playing "TERRORIST": ${names[ct === 0 ? 1 : 0]}`,
      ...(hasPlayers
        ? ([0, 1] as const).flatMap((team) => ([1, 2] as const).map((n) => `${player(team, n, ct)} money change 800-0 = $800 (tracked)`))
        : []),
      `MatchStatus: Score: ${scoreText(ct)} on map "${map}" RoundsPlayed: ${index}`,
    )
    post(round, at + 15_000, 'World triggered "Round_Start"')
    if (hasPlayers) {
      for (const n of [1, 2] as const) {
        post(round, at + 15_000 + n * 5_000, `${player(winner, n, ct)} [0 0 0] killed ${player(loser, n, ct)} [1 1 1] with "ak47"`)
      }
    }
    won[winner] += 1
    const [side, notice] = winner === ct ? ["CT", "CTs_Win"] : ["TERRORIST", "Terrorists_Win"]
    post(
      round,
      at + 40_000,
      `Team "${side}" triggered "SFUI_Notice_${notice}" (CT "${won[ct]}") (T "${won[ct === 0 ? 1 : 0]}")`,
      `MatchStatus: Score: ${scoreText(ct)} on map "${map}" RoundsPlayed: ${round}`,
    )
  }
  const last = ctOf(rounds.length)
  post(
    rounds.length,
    startsAt + (rounds.length - 1) * ROUND_MS + 40_000,
    `Game Over: competitive mg_active ${map} score ${won[last]}:${won[last === 0 ? 1 : 0]} after ${rounds.length} min`,
  )
  return posts
}

const stampOf = (at: number): string => {
  const [year = "", month = "", day = "", time = ""] = new Date(at).toISOString().split(/[-TZ]/)
  return `${month}/${day}/${year} - ${time}`
}
