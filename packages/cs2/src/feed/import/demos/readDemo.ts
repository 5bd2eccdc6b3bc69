/** Converts a parsed demo to an archived match of one map. */
import { accept, type ReadRecord, reject } from "@matchpoint/game/feed/import/ImportSource"
import type { ArchivedMatch, TeamRef, TeamSlot } from "../../../rules/archive/ArchivedMatch.ts"
import { archivedGame } from "../../../rules/statistics/archivedGame.ts"
import { clipped } from "../../adapters/text.ts"
import { matchDate } from "../analyzer/matchDate.ts"
import { demoRecordOf } from "./demoRecord.ts"
import type { ParsedDemo } from "./ParsedDemo.ts"

export interface DemoSource {
  /** Hash of the file's content. */
  readonly digest: string
  /** File name, which may contain the date of the match. The demo itself contains no date. */
  readonly name: string
}

export const readDemo = (demo: ParsedDemo, { digest, name }: DemoSource): ReadRecord<ArchivedMatch> => {
  const { record, teamNames } = demoRecordOf(demo)
  const game = archivedGame(record, 1)
  const [one = [], two = []] = [0, 1].map((team) => game.lines.filter((line) => line.team === team).map(({ player }) => player))
  if (game.rounds.length === 0 || one.length === 0 || two.length === 0) {
    const rounds = demo.events.filter((event) => event.event_name === "round_start").length
    const seen = { map: record.map, build: demo.header.patch_version ?? null, roundsBegun: rounds, roundsEnded: game.rounds.length }
    return reject("the demo has no complete round", { ...seen, players: record.players.length })
  }
  const date = matchDate("", name, true)
  if (date === undefined) return reject("the date of the match is unknown", { name })
  const teamOf = (slot: TeamSlot): TeamRef => {
    const given = clipped(teamNames[slot] ?? "")
    if (given !== "") return { name: given }
    return { key: `${digest}:${slot + 1}`, name: `team_${(slot === 0 ? one : two)[0]?.nickname ?? slot + 1}` }
  }
  return accept({
    source: "demos",
    key: digest,
    status: "completed",
    startsAt: date.at,
    startsPrecision: date.from === "name" ? "minute" : "day",
    bestOf: 1,
    teams: [teamOf(0), teamOf(1)],
    score: game.winner === undefined ? [0, 0] : game.winner === 0 ? [1, 0] : [0, 1],
    winner: game.winner,
    lineups: [one, two],
    games: [{ ...game, playedAt: date.at }],
    confidence: date.from === "name" ? "high" : date.from === "year" ? "medium" : "low",
  })
}
