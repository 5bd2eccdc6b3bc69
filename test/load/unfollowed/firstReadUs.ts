// Owns the measurement of the first read of matches that have not been read before.

import { contractsOf } from "@matchpoint/contracts/game/LiveContract"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { frameOfRecord } from "@matchpoint/realtime/Frame"
import { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import { recordsOf } from "./recordsOf.ts"

const games = contractsOf([cs2Live])

/** Returns the CPU time of reading the state of a match, in microseconds: the mean of all matches, each read once. */
export const firstReadUs = (kind: "frames" | "feed", matches: number, records: number): number => {
  const rooms = new LiveRooms()
  let sequence = 0
  for (let match = 1; match <= matches; match++) {
    for (const record of recordsOf({ kind, match: matchId(match), count: records })) {
      const frame = frameOfRecord({ ...record, sequence: ++sequence, appendedAt: sequence }, games, rooms)
      if (frame === undefined || !rooms.accept(frame)) throw new Error(`record ${record.id} was not accepted`)
    }
  }
  const before = process.cpuUsage()
  const read = rooms.known().filter(({ views }) => views !== undefined)
  const { system, user } = process.cpuUsage(before)
  return (system + user) / read.length
}
