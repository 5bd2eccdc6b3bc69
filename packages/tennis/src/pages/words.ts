import type { LiveMatch, LiveRow, LiveSide, SideNumber, Stake } from "./types.ts"

const rounds: Readonly<Record<string, string>> = {
  F: "Final",
  SF: "Semi-finals",
  QF: "Quarter-finals",
  RR: "Round robin",
  BR: "Bronze medal match",
  ER: "Early rounds",
}

/** `QF` is Quarter-finals, `R16` Round of 16, `Q2` Qualifying, round 2. */
export const roundName = (round: string): string => {
  const [, kind, number] = /^(R|Q)(\d+)$/.exec(round) ?? []
  if (kind === "R") return `Round of ${number}`
  return kind === "Q" ? `Qualifying, round ${number}` : (rounds[round] ?? round)
}

const levels: Readonly<Record<string, string>> = {
  G: "Grand Slam",
  M: "Masters",
  A: "ATP tour",
  F: "Season finals",
  D: "Team event",
  O: "Olympics",
  C: "Challenger",
  S: "Satellite or ITF",
  PM: "Premier Mandatory",
  P: "Premier",
  I: "International",
  W: "WTA tour",
  T1: "Tier I",
  T2: "Tier II",
  T3: "Tier III",
  T4: "Tier IV",
  T5: "Tier V",
}

/** `G` is Grand Slam. Unknown levels stay as they are. */
export const levelName = (level: string | null): string | null => (level === null ? null : (levels[level] ?? level))

const gaps: Readonly<Record<string, string>> = {
  before_statistics: "The archive has statistics of later years only.",
  no_matches: "There is no match to count.",
  not_recorded: "The archive has no statistics of these matches.",
  not_recorded_for_circuit: "Statistics are not recorded on this circuit.",
  walkover: "The match was not played.",
}

/** Explains why there are no statistics. */
export const gapWords = (reason: string | null) => gaps[reason ?? ""] ?? "There are no statistics."

export const sideOf = <Match extends Pick<LiveMatch, "side1" | "side2">>(match: Match, side: SideNumber): LiveSide =>
  side === 1 ? match.side1 : match.side2

export const fullName = ({ players }: LiveSide) => players.map(({ name }) => name).join(" / ")

export const lastWord = (name: string) => name.split(" ").at(-1) ?? name

/** For places without room for the whole name. */
export const shortName = ({ players }: LiveSide) => players.map(({ name }) => lastWord(name)).join(" / ")

const stakes: Readonly<Record<Stake, string>> = {
  game_point: "Game point",
  break_point: "Break point",
  set_point: "Set point",
  match_point: "Match point",
}

export const stakeWords = (stake: Stake) => stakes[stake]

/** Words such as `Daylight Open · Final`. */
export const placeWords = ({ tournament, tour }: Pick<LiveRow, "tour" | "tournament">) =>
  [tour, tournament.name, tournament.round === null ? null : roundName(tournament.round)].filter((part) => part !== null).join(" · ")
