/** Converts the record of a map to the archive's format. */
import type { ArchivedGame, TeamSlot } from "../archive/ArchivedMatch.ts"
import { archivedEvents } from "./archivedEvents.ts"
import { archivedRounds, halvesOf } from "./archivedRounds.ts"
import type { MapRecord } from "./MapRecord.ts"
import { playerLines } from "./playerLine.ts"

/** The team that won more rounds is the winner; undefined if both won the same number. */
export const archivedGame = (record: MapRecord, mapNumber: number): ArchivedGame => {
  const rounds = archivedRounds(record.rounds)
  const score = rounds.at(-1)?.score ?? [0, 0]
  return {
    mapNumber,
    map: record.map,
    resultType: "played",
    score,
    halves: halvesOf(record.rounds),
    winner: winnerOf(score),
    durationMs: durationOf(record),
    lines: playerLines(record),
    rounds,
    events: archivedEvents(record),
  }
}

const winnerOf = ([team1, team2]: readonly [number, number]): TeamSlot | undefined => (team1 === team2 ? undefined : team1 > team2 ? 0 : 1)

/** Milliseconds from the end of the first freeze time to the end of the last round. */
const durationOf = ({ rounds }: MapRecord): number | undefined => {
  const first = rounds[0]
  const last = rounds.at(-1)
  return first === undefined || last === undefined ? undefined : Math.max(0, last.endedAt - first.liveAt)
}
