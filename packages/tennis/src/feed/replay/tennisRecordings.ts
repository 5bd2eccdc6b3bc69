/**
 * Reads one match of a file of point strings as a recording. The files do not contain times, so points are played at a
 * fixed pace. Player ids, surface and round are unknown, so a replayed match does not become a row of the archive.
 */
import type { Fact } from "@matchpoint/contracts/http/feed/FactsApi"
import { factId, type MatchId, matchIdOf } from "@matchpoint/domain/ids"
import { type Recording, type RecordingFormats, type RecordingStep, UnreadableRecording } from "@matchpoint/game/feed/replay/Recording"
import { Result } from "effect"
import type { TennisRegistration } from "../../contract/http/TennisRegistration.ts"
import { cellsOf } from "../../rules/archive/readLine.ts"
import { TENNIS } from "../../rules/game.ts"
import type { ReportedEvent } from "../../rules/live/feedEvents.ts"
import { fold } from "../../rules/live/fold.ts"
import { otherSide } from "../../rules/live/format.ts"
import { scoreText } from "../../rules/live/scores.ts"
import { type MatchState, nextPosition, serverOf } from "../../rules/live/state.ts"
import { formatOf } from "./matchFormats.ts"
import { columns, type PointRow } from "./pointRows.ts"
import { createdPayload, isSeparator, kindOf } from "./pointString.ts"

/** Time between points, and the additional time after a game and after a set. */
const [POINT_MS, GAME_MS, SET_MS] = [25_000, 20_000, 60_000] as const

export const tennisRecordings: RecordingFormats = {
  formats: "tennis point strings (CSV)",
  read: (content, number) => {
    const [header = "", ...lines] = new TextDecoder()
      .decode(content)
      .replace(/^\uFEFF/u, "")
      .split(/\r?\n/u)
    const names = cellsOf(header)
    if (columns.some((name) => !names.includes(name))) return undefined
    const line = lines.filter((text) => text.trim() !== "")[number - 1]
    if (line === undefined) return refuse(`the file has no match ${number}`)
    const cells = cellsOf(line)
    const cell = (name: (typeof columns)[number]) => cells[names.indexOf(name)] ?? ""
    const [points, winner] = [cell("pbp"), cell("winner")]
    if (/[^SRAD;./]/u.test(points) || (winner !== "1" && winner !== "2")) return refuse(`match ${number} is no point string`)
    return Result.succeed(
      recordingOf({
        tournament: cell("tny_name"),
        tour: cell("tour"),
        draw: cell("draw"),
        sides: [cell("server1"), cell("server2")],
        winner: winner === "1" ? 0 : 1,
        points,
        score: cell("score"),
      }),
    )
  },
}

const refuse = (message: string): Result.Result<never, UnreadableRecording> => Result.fail(new UnreadableRecording({ message }))

const recordingOf = (row: PointRow): Recording => {
  const format = formatOf(row)
  const { tour, tournament, ...created } = createdPayload(row, format)
  const registration = { tour, tournament: { name: tournament.name }, format, sides: created.sides } satisfies TennisRegistration
  const letters = [...row.points].filter((letter) => !isSeparator(letter))
  const steps = [...play(row, letters, matchIdOf(TENNIS, 1))]
  return {
    game: TENNIS,
    format: "tennis point string",
    title: `${row.sides[0]} - ${row.sides[1]}, ${row.tournament}`,
    registration,
    startedAt: 0,
    endedAt: steps.at(-1)?.at ?? 0,
    length: steps.length,
    play: (matchId) => play(row, letters, matchId),
    cancelled: (at): Fact => ({ id: factId("replay:cancelled"), type: "Cancelled", observedAt: at, payload: {} }),
  }
}

/** Leaves out letters after the end of the match. */
function* play(row: PointRow, letters: ReadonlyArray<string>, matchId: MatchId): Generator<RecordingStep> {
  let at = 0
  let state: MatchState | undefined
  let facts = 0
  const apply = (happening: Pick<ReportedEvent, "type" | "payload">): ReportedEvent => {
    facts += 1
    const times = { observedAt: at, receivedAt: at }
    const event = { id: factId(`replay:${facts}`), matchId, source: "main", ...times, ...happening } as ReportedEvent
    const step = fold(state, event)
    if (step._tag === "Accepted") state = step.state
    return event
  }
  const step = (event: ReportedEvent): RecordingStep => {
    const now = state
    return { at, events: [event], problems: [], line: () => lineOf(row, now), table: () => tableOf(row, now) }
  }
  apply({ type: "MatchCreated", payload: createdPayload(row, formatOf(row)) })
  yield step(apply({ type: "MatchStarted", payload: { server: 0 } }))
  for (const letter of letters) {
    const before = state
    const next = before === undefined ? undefined : nextPosition(before)
    const server = before === undefined ? undefined : serverOf(before)
    if (next === undefined || server === undefined) return
    at += POINT_MS + (next.point > 1 ? 0 : next.game > 1 ? GAME_MS : SET_MS)
    const winner = letter === "S" || letter === "A" ? server : otherSide(server)
    yield step(apply({ type: "PointPlayed", payload: { ...next, winner, kind: kindOf(letter) } }))
  }
  if (state?.status !== "live") return
  at += POINT_MS
  yield step(
    /\bRET\b/u.test(row.score)
      ? apply({ type: "Retired", payload: { side: otherSide(row.winner) } })
      : apply({ type: "Cancelled", payload: { reason: "the recording ends before the match" } }),
  )
}

const lineOf = ({ sides }: PointRow, state: MatchState | undefined): string =>
  state === undefined ? "" : `${sides[0]} ${scoreText(state, 0)} ${sides[1]}`

const tableOf = ({ score, sides }: PointRow, state: MatchState | undefined): string => {
  if (state === undefined) return ""
  const rows = state.tallies.map((tally, side) =>
    [sides[side] ?? "", tally.pointsWon, tally.aces, tally.doubleFaults, `${tally.breakPointsSaved}/${tally.breakPointsFaced}`].map(String),
  )
  const table = [["player", "points", "aces", "double faults", "break points saved"], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => (row[column] ?? "").length))) ?? []
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
  return [...lines, "", `score ${scoreText(state, state.winner ?? 0)} (in the file: ${score})`].join("\n")
}
