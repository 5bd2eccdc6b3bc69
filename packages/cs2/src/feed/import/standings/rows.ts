/** Rows of the standings' tables: series, places, point components and prize money. */
import { crc32 } from "node:zlib"
import type { CsvRow } from "@matchpoint/game/feed/import/csv"
import { accept, type ReadRecord, reject } from "@matchpoint/game/feed/import/ImportSource"
import { Schema } from "effect"
import type { Listings } from "./listedNames.ts"
import { handlesOf } from "./listFields.ts"
import type { ListedSeries } from "./pairings.ts"

export interface Standing {
  readonly _tag: "Standing"
  readonly date: string
  readonly region: "global" | "europe" | "americas" | "asia"
  readonly rank: number
  readonly points: number
  readonly team: string
  readonly roster: ReadonlyArray<string>
}

export interface Detail {
  readonly _tag: "Detail"
  readonly date: string
  readonly globalRank: number
  readonly team: string
  readonly roster: ReadonlyArray<string>
  readonly factors: {
    readonly startingValue: number | null
    readonly bountyOffered: number | null
    readonly bountyCollected: number | null
    readonly opponentNetwork: number | null
    readonly lanWins: number | null
  }
}

export interface Prize {
  readonly _tag: "Prize"
  readonly team: string
  /** Last day of the event that paid the prize, as YYYY-MM-DD. */
  readonly endedOn: string
  readonly usdCents: number
  /**
   * Distinguishes several prizes of the same team on the same day, by the team name in the file and the position of the
   * row among the prizes with that name and day. It stays the same even if the name is later resolved to another team.
   */
  readonly ordinal: number
  /** Lineup in the first list after the event. Empty if unknown. */
  readonly roster: ReadonlyArray<string>
}

export const readSeries = (row: CsvRow): ReadRecord<ListedSeries> => {
  const { date = "", ordinal, roster_a, roster_b, snapshots, team_a = "", team_b = "", winner } = row
  if (!isDay(date)) return reject("the date is missing or malformed", row)
  if (team_a === "" || team_b === "" || team_a === team_b) return reject("the row needs two different teams", row)
  if (winner !== team_a && winner !== team_b) return reject("the winner is neither of the two teams", row)
  return accept({
    date,
    teams: [
      { name: team_a, roster: handlesOf(roster_a) },
      { name: team_b, roster: handlesOf(roster_b) },
    ],
    winner: winner === team_a ? 0 : 1,
    ordinal: numberOf(ordinal) ?? 0,
    isLan: row.lan_win_seen === "1",
    seen: numberOf(snapshots) ?? 0,
  })
}

const isRegion = Schema.is(Schema.Literals(["global", "europe", "americas", "asia"]))

export const readStanding = (row: CsvRow): ReadRecord<Standing> => {
  const { date = "", region, roster, team = "" } = row
  const [rank, points] = [numberOf(row.rank), numberOf(row.points)]
  if (!isDay(date) || !isRegion(region)) return reject("the date or the region is missing or malformed", row)
  if (rank === null || points === null || team === "") return reject("rank, points or team are missing", row)
  return accept({ _tag: "Standing", date, region, rank, points, team, roster: handlesOf(roster) })
}

export const readDetail = (row: CsvRow): ReadRecord<Detail> => {
  const { date = "", roster, team = "" } = row
  const globalRank = numberOf(row.global_rank)
  if (!isDay(date) || globalRank === null || team === "") return reject("date, rank or team are missing", row)
  return accept({
    _tag: "Detail",
    date,
    globalRank,
    team,
    roster: handlesOf(roster),
    factors: {
      startingValue: numberOf(row.starting_value),
      bountyOffered: numberOf(row.bounty_offered),
      bountyCollected: numberOf(row.bounty_collected),
      opponentNetwork: numberOf(row.opponent_network),
      lanWins: numberOf(row.lan_wins),
    },
  })
}

/** `nth` is the index, from 0, among the prizes of the same team and day. */
export const readPrize = (row: CsvRow, nth: number, rosterOn: Listings["rosterOn"]): ReadRecord<Prize> => {
  const { event_end_date: endedOn = "", team = "" } = row
  const usd = numberOf(row.usd)
  if (!isDay(endedOn) || team === "" || usd === null || usd < 0) return reject("team, date or amount are missing or malformed", row)
  return accept({
    _tag: "Prize",
    team,
    endedOn,
    usdCents: Math.round(usd * 100),
    ordinal: crc32(`${team}|${nth}`) >>> 1,
    roster: rosterOn(team, endedOn),
  })
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

const numberOf = (text: string | undefined): number | null => {
  if (text === undefined || text.trim() === "") return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}
