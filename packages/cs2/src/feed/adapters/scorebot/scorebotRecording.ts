/**
 * Reads a recording of a scorebot connection: NDJSON with one `{ timestamp, event, args }` object per message, where
 * `timestamp` is in milliseconds since the connection started. Teams and players come from the scoreboards.
 */
import { playerId } from "../../../rules/ids.ts"
import type { MatchRules } from "../../../rules/live/rules.ts"
import { type Recorded, recordingOf } from "../Recording.ts"
import { sheetsOf } from "../teams.ts"
import { clipped } from "../text.ts"
import { messageOf, type Scoreboard } from "./messages.ts"
import { LONGEST_BACKLOG_MS, type ScorebotInput, scorebot } from "./ScorebotAdapter.ts"

/**
 * Rules of 2015, the year of the scorebot protocol: 30 rounds, overtimes of up to six rounds (MR3), 1:45 rounds, 15 s
 * freeze time, 35 s bomb timer.
 */
const rules2015: MatchRules = { maxRounds: 30, overtimeRounds: 6, roundSeconds: 105, freezeSeconds: 15, bombSeconds: 35, timeouts: null }

/** `values` are the parsed lines. Undefined if no scoreboard shows two teams. */
export const readScorebotCapture = (values: ReadonlyArray<unknown>): Recorded<ScorebotInput> | undefined => {
  const messages = values.map((value) => ({ value, message: messageOf(value) }))
  const boards = messages.flatMap(({ message }) => (message?.event === "scoreboard" ? [message.args] : []))
  const first = boards.find((board) => board.CT.length > 0 && board.TERRORIST.length > 0)
  if (first === undefined) return undefined
  const teams = sheetsOf(first.ctTeamName, first.terroristTeamName)
  const wins = messages.flatMap(({ message }) => (message?.event === "score" ? Object.values(message.args.wins) : []))
  const bestOf = Math.min(9, Math.max(1, 2 * Math.max(0, ...wins) - 1))
  let at = LONGEST_BACKLOG_MS
  const inputs = messages.map(({ message, value }) => {
    at = Math.max(at, LONGEST_BACKLOG_MS + (message?.timestamp ?? 0))
    return { at, input: { at, message: value } }
  })
  return { created: { bestOf, teams, rules: rules2015, roster: rosterOf(boards, first.ctTeamName, teams) }, inputs }
}

export const scorebotRecording = (recorded: Recorded<ScorebotInput>) => recordingOf("scorebot capture", scorebot, recorded)

const rosterOf = (boards: ReadonlyArray<Scoreboard>, firstName: string, teams: ReturnType<typeof sheetsOf>) => {
  const roster = new Map<number, { readonly name: string; readonly team: 0 | 1 }>()
  for (const { CT, TERRORIST, ctTeamName } of boards) {
    const ct = ctTeamName === firstName ? 0 : 1
    for (const { dbId, name } of CT) if (dbId > 0 && !roster.has(dbId)) roster.set(dbId, { name, team: ct })
    for (const { dbId, name } of TERRORIST) if (dbId > 0 && !roster.has(dbId)) roster.set(dbId, { name, team: ct === 0 ? 1 : 0 })
  }
  return [...roster].map(([dbId, { name, team }]) => ({ playerId: playerId(dbId), teamId: teams[team].id, nickname: clipped(name) }))
}
