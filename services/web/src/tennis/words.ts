/** Words for tennis: rounds, stakes and names of sides. The functions have no side effects. */
import type { LiveMatch, LiveRow, LiveSide, SideNumber, Stake } from "./types.ts"

const rounds: Readonly<Record<string, string>> = {
  F: "Final",
  SF: "Semi-finals",
  QF: "Quarter-finals",
  RR: "Round robin",
  BR: "Bronze medal match",
  ER: "Early rounds",
}

/** Returns the name of a round: `QF` becomes Quarter-finals, `R16` Round of 16, `Q2` Qualifying, round 2. */
export const roundName = (round: string): string => {
  const [, kind, number] = /^(R|Q)(\d+)$/.exec(round) ?? []
  if (kind === "R") return `Round of ${number}`
  return kind === "Q" ? `Qualifying, round ${number}` : (rounds[round] ?? round)
}

export const sideOf = <Match extends Pick<LiveMatch, "side1" | "side2">>(match: Match, side: SideNumber): LiveSide =>
  side === 1 ? match.side1 : match.side2

export const fullName = ({ players }: LiveSide) => players.map(({ name }) => name).join(" / ")

/** Returns the last word of each player's name, for places without room for the whole name. */
export const shortName = ({ players }: LiveSide) => players.map(({ name }) => name.split(" ").at(-1) ?? name).join(" / ")

const stakes: Readonly<Record<Stake, string>> = {
  game_point: "Game point",
  break_point: "Break point",
  set_point: "Set point",
  match_point: "Match point",
}

export const stakeWords = (stake: Stake) => stakes[stake]

/** Returns the tournament and the round of a match, for example `Daylight Open · Final`. */
export const placeWords = ({ tournament, tour }: Pick<LiveRow, "tour" | "tournament">) =>
  [tour, tournament.name, tournament.round === null ? null : roundName(tournament.round)].filter((part) => part !== null).join(" · ")
