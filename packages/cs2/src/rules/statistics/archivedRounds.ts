/** Rounds and halves of a map in the archive's format: results, running score, and purchases of each side. */
import type { ArchivedHalf, ArchivedRound } from "../archive/ArchivedMatch.ts"
import { inOrder, teamBuy, teamOn } from "./buyTypes.ts"
import type { RoundRecord } from "./MapRecord.ts"
import { winTypeName } from "./winTypeNames.ts"

export const archivedRounds = (rounds: ReadonlyArray<RoundRecord>): ReadonlyArray<ArchivedRound> => {
  const score: [number, number] = [0, 0]
  return inOrder(rounds).map((at) => {
    const { round } = at
    score[teamOn(round, round.winner)]++
    const ct = teamBuy(at, "CT")
    const t = teamBuy(at, "T")
    return {
      round: round.number,
      ct: round.ct,
      winnerSide: round.winner,
      winType: winTypeName(round.winType, round.winner),
      score: [score[0], score[1]],
      ctEquipmentValue: ct?.equipmentValue,
      tEquipmentValue: t?.equipmentValue,
      ctBuyType: ct?.type,
      tBuyType: t?.type,
      bombSite: round.bombs.find(({ type }) => type === "BombPlanted")?.site ?? undefined,
      durationMs: Math.max(0, round.endedAt - round.liveAt),
    }
  })
}

/** A half ends when the teams change sides, and when overtime starts, although they do not change sides then. */
export const halvesOf = (rounds: ReadonlyArray<RoundRecord>): ReadonlyArray<ArchivedHalf> => {
  const halves: Array<{ readonly first: RoundRecord; readonly score: [number, number] }> = []
  for (const round of rounds) {
    const playing = halves.at(-1)
    const half =
      playing !== undefined && playing.first.ct === round.ct && playing.first.overtime === round.overtime
        ? playing
        : { first: round, score: [0, 0] satisfies [number, number] as [number, number] }
    if (half !== playing) halves.push(half)
    half.score[teamOn(round, round.winner)]++
  }
  return halves.map(({ first, score }, index) => ({
    number: index + 1,
    team1Side: first.ct === 0 ? "CT" : "T",
    team1: score[0],
    team2: score[1],
    overtime: first.overtime,
  }))
}
