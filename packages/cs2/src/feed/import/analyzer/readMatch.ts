/** Converts an analyzed demo to an archived match of one map. */
import { accept, type ReadRecord, reject } from "@matchpoint/game/feed/import/ImportSource"
import type { ArchivedMatch, PlayerRef, TeamRef, TeamSlot } from "../../../rules/archive/ArchivedMatch.ts"
import { archivedGame } from "../../../rules/statistics/archivedGame.ts"
import { clipped } from "../../adapters/text.ts"
import type { AnalyzedMap } from "./AnalyzedMap.ts"
import { mapRecordOf } from "./mapRecord.ts"
import { type MatchDate, matchDate } from "./matchDate.ts"

export const readMatch = (file: AnalyzedMap): ReadRecord<ArchivedMatch> => {
  const date = matchDate(file.date, file.demoFileName, file.game !== "CSGO")
  if (date === undefined) return reject("the date of the match is unknown", { checksum: file.checksum, name: file.demoFileName })
  const game = archivedGame(mapRecordOf(file), 1)
  const lineups = [0, 1].map((team) => game.lines.filter((line) => line.team === team).map(({ player }) => player))
  const [one = [], two = []] = lineups
  const exact = date.from === "file" || date.from === "name"
  return accept({
    source: "analyzer",
    key: file.checksum,
    status: "completed",
    startsAt: date.at,
    startsPrecision: exact ? "minute" : "day",
    bestOf: 1,
    teams: [teamOf(file, 0, one), teamOf(file, 1, two)],
    score: game.winner === undefined ? [0, 0] : game.winner === 0 ? [1, 0] : [0, 1],
    winner: game.winner,
    lineups: [one, two],
    games: [{ ...game, playedAt: date.at }],
    confidence: confidences[date.from],
  })
}

/** Confidence by the source of the date. Only the date can be uncertain; the statistics are always certain. */
const confidences: { readonly [F in MatchDate["from"]]: ArchivedMatch["confidence"] } = {
  file: "high",
  name: "high",
  year: "medium",
  game: "low",
}

/**
 * A placeholder name such as "Team A" identifies a team only within this file: the key then contains the file's
 * checksum, and the team is named after one of its players, as is usual in matchmaking.
 */
const teamOf = (file: AnalyzedMap, slot: TeamSlot, lineup: ReadonlyArray<PlayerRef>): TeamRef => {
  const { letter, name } = slot === 0 ? file.teamA : file.teamB
  const given = clipped(name.trim())
  if (given !== "" && !/^team [ab]$/i.test(given)) return { name: given }
  return { key: `${file.checksum}:${letter}`, name: `team_${lineup[0]?.nickname ?? letter}` }
}
