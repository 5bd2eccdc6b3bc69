/** Reads a recorded server log: the teams, and the lines grouped by second, as a server would have posted them. */
import { competitiveRules } from "../../../rules/live/rules.ts"
import { type Recorded, recordingOf } from "../Recording.ts"
import { sheetsOf } from "../teams.ts"
import { parseLogLine, withoutEdges } from "./logLine.ts"
import { serverLog } from "./ServerLogAdapter.ts"

/** Checks the first line. */
export const looksLikeLog = (text: string): boolean => {
  const end = text.indexOf("\n")
  return parseLogLine(withoutEdges(end === -1 ? text : text.slice(0, end))) !== undefined
}

export const readServerLog = (text: string): Recorded<ReadonlyArray<string>> => {
  const inputs: Array<{ at: number; input: Array<string> }> = []
  const names = { CT: "Counter-Terrorists", T: "Terrorists" }
  let named = false
  let last = inputs[0]
  for (const line of text.split("\n")) {
    const parsed = parseLogLine(withoutEdges(line))
    // Only the first names in the log belong to the sides on which the teams start.
    if (parsed?.event._tag === "TeamNamed" && !named) {
      names[parsed.event.side] = parsed.event.name
      named = names.CT !== "Counter-Terrorists" && names.T !== "Terrorists"
    }
    if (last === undefined || (parsed !== undefined && parsed.at > last.at)) {
      last = { at: parsed?.at ?? 0, input: [] }
      inputs.push(last)
    }
    if (line.trim() !== "") last.input.push(line)
  }
  return { created: { bestOf: 1, teams: sheetsOf(names.CT, names.T), rules: competitiveRules, roster: [] }, inputs }
}

export const logRecording = (recorded: Recorded<ReadonlyArray<string>>) => recordingOf("CS2 server log", serverLog, recorded)
