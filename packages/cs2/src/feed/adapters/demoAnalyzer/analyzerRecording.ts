/** Converts a cs-demo-analyzer file to a recording. */
import { Result, Schema } from "effect"
import { playerIdOfSteamId64 } from "../../../rules/ids.ts"
import { competitiveRules } from "../../../rules/live/rules.ts"
import { type Recorded, recordingOf } from "../Recording.ts"
import { sheetsOf } from "../teams.ts"
import { clipped } from "../text.ts"
import { AnalyzerMatch } from "./AnalyzerMatch.ts"
import { demoAnalyzer } from "./DemoAnalyzerAdapter.ts"
import { type Entry, timelineOf } from "./timeline.ts"

const decode = Schema.decodeUnknownResult(AnalyzerMatch)

/** `json` must come from `parseLosslessly`. */
export const readAnalyzerMatch = (json: unknown) => Result.map(decode(json), recordedMatch)

export const analyzerRecording = (recorded: Recorded<Entry>) => recordingOf("cs-demo-analyzer match", demoAnalyzer, recorded)

const recordedMatch = (match: AnalyzerMatch): Recorded<Entry> => {
  const teams = sheetsOf(match.teamA.name, match.teamB.name)
  const roster = Object.values(match.players)
    .sort((a, b) => a.userId - b.userId)
    .flatMap(({ name, steamId, team }) => {
      const playerId = playerIdOfSteamId64(steamId)
      return playerId === undefined ? [] : [{ playerId, teamId: teams[team.letter === "A" ? 0 : 1].id, nickname: clipped(name) }]
    })
  const inputs = timelineOf(match).map((entry) => ({ at: entry.at, input: entry }))
  return { created: { bestOf: 1, teams, rules: rulesOf(match), roster }, inputs }
}

/** A map that ended as a draw after regulation was played under rules without overtime. */
const rulesOf = ({ maxRounds, overtimeCount, rounds, teamA, teamB }: AnalyzerMatch) => {
  const drawn = overtimeCount === 0 && rounds.length === maxRounds && teamA.score === teamB.score
  return { ...competitiveRules, maxRounds, overtimeRounds: drawn ? 0 : competitiveRules.overtimeRounds }
}
