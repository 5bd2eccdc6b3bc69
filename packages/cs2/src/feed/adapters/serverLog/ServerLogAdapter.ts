/**
 * Derives facts from the log of a CS2 server, one post at a time. A post (POST request body) contains the lines that
 * the server sends at once, or one second of a recorded log. A log has no sequence numbers, so a line is identified by
 * its time and text. Processing is idempotent: a post that is sent again adds nothing. Each line is understood,
 * irrelevant by a rule, known, or reported as a problem, and is counted as one of these.
 */
import { isStorable } from "@matchpoint/domain/storableText"
import { computed, type Sliced } from "@matchpoint/game/feed/slices"
import type { Adapter, AdapterContext, AdapterStep } from "../Adapter.ts"
import { readAssisted, readAttacked, readKilled, readSuicide, readTriggered } from "./fights.ts"
import { emptyMemory, type LogMemory, recallLine } from "./LogMemory.ts"
import { LogReader } from "./LogReader.ts"
import { type LogEvent, MAX_LINE_LENGTH, parseLogLine, withoutEdges } from "./logLine.ts"
import { readLeftBuyzone, readMoney, readStatsEnd, readStatsField } from "./possessions.ts"
import { readLeft, readSwitched } from "./presence.ts"
import { reportRepetition } from "./repetition.ts"
import { readFreeze, readGameOver, readMaxRounds, readPause, readRoundWon, readStatus, readTeamName, readWorld } from "./rounds.ts"
import { type NumberedLine, type ParsedLine, parsedLine, unreadIn } from "./unreadLines.ts"

export const serverLog: Adapter<ReadonlyArray<string>, LogMemory> = {
  name: "log",
  initial: emptyMemory,
  recall: recallLine,
  step: (context, texts, receivedAt) => computed(logSteps(context, texts, receivedAt)),
}

/** Yields after each line. */
export function* logSteps(
  { memory, state }: AdapterContext<LogMemory>,
  texts: ReadonlyArray<string>,
  receivedAt: number,
): Sliced<AdapterStep<LogMemory>> {
  const reader = new LogReader(state, memory, receivedAt)
  const sent = yield* parsed(reader, texts)
  const unread = unreadIn(memory, sent, receivedAt)
  const { lines } = unread
  reader.memory = unread.memory
  for (let count = 0; count < unread.repeated; count++) reader.derivation.ignore()
  reader.counter.add({ _tag: "Repeated" }, unread.repeated)
  reportRepetition(reader, sent, lines.length > 0)
  for (let i = 0; i < lines.length; i++) {
    yield
    const line = lines[i]
    if (line === undefined) continue
    reader.begin(line)
    const followed = read(reader, line, line.event, lines, i + 1)
    reader.counter.add(reader.outcome(), 1 + followed)
    i += followed
  }
  const last = lines.at(-1)
  if (last !== undefined) reader.flushReports(last)
  return { ...reader.derivation.done(reader.memory), lines: reader.counter.counts }
}

/** Assist lines that can follow a kill. */
const MOST_ASSISTS = 9

/** Lines without the form of a log line are reported. */
function* parsed(reader: LogReader, texts: ReadonlyArray<string>): Sliced<ReadonlyArray<ParsedLine>> {
  const lines: Array<ParsedLine> = []
  for (const [index, raw] of texts.entries()) {
    yield
    const text = withoutEdges(raw)
    if (text === "") continue
    const line = isStorable(text) ? parseLogLine(text) : undefined
    if (line !== undefined) {
      lines.push(parsedLine(line, text, index + 1))
      continue
    }
    reader.derivation.problem({ code: "malformed", message: reasonOf(raw), raw, line: index + 1 })
    reader.counter.add({ _tag: "Reported" }, 1)
  }
  return lines
}

const reasonOf = (raw: string): string => {
  if (!isStorable(raw)) return "the line contains a NUL character, which cannot be stored"
  return raw.length > MAX_LINE_LENGTH ? `the line has more than ${MAX_LINE_LENGTH} characters` : "not a line of a CS2 server log"
}

/** Returns how many of the following lines, from `lines[next]` on, belong to this line and were read with it. */
const read = (reader: LogReader, line: NumberedLine, event: LogEvent, lines: ReadonlyArray<NumberedLine>, next: number): number => {
  switch (event._tag) {
    case "Attacked":
      readAttacked(reader, line, event)
      return 0
    case "Killed":
      return readKilled(reader, line, event, lines.slice(next, next + MOST_ASSISTS))
    case "Assisted":
      readAssisted(reader, line, event)
      return 0
    case "Money":
      readMoney(reader, line, event)
      return 0
    case "LeftBuyzone":
      readLeftBuyzone(reader, line, event)
      return 0
    case "Triggered":
      readTriggered(reader, line, event)
      return 0
    case "RoundWon":
      readRoundWon(reader, line, event)
      return 0
    case "World":
      readWorld(reader, line, event.what)
      return 0
    case "FreezeStarted":
      readFreeze(reader, line, linesFrom(lines, next))
      return 0
    case "Status":
      readStatus(reader, line, event)
      return 0
    case "TeamNamed":
      readTeamName(reader, event)
      return 0
    case "Switched":
      readSwitched(reader, line, event.player)
      return 0
    case "Left":
      readLeft(reader, line, event.player)
      return 0
    case "Suicide":
      readSuicide(reader, line, event)
      return 0
    case "KilledByBomb":
      if (event.player.id !== null) reader.memory = { ...reader.memory, fate: { playerId: event.player.id, kind: "bomb", at: line.at } }
      return 0
    case "Pause":
      readPause(reader, line, event)
      return 0
    case "GameOver":
      readGameOver(reader, line, event)
      return 0
    case "MaxRounds":
      readMaxRounds(reader, event)
      return 0
    case "StatsBegin":
      reader.memory = { ...reader.memory, stats: { fields: new Map() } }
      return 0
    case "StatsField":
      readStatsField(reader, event)
      return 0
    case "StatsEnd":
      readStatsEnd(reader, line)
      return 0
    case "Seen":
      reader.onSheet(line, event.player)
      if (!reader.hasNews) reader.ignore(event.rule)
      return 0
    case "Irrelevant":
      reader.ignore(event.rule)
      return 0
    case "Ambiguous": {
      const reading = reader.knownReading(event.readings)
      if (reading !== undefined) return read(reader, line, reading, lines, next)
      report(reader, line, "the line can be read in more than one way, because a player's name looks like a part of a line")
      return 0
    }
    case "Unknown":
      report(reader, line, "the form of the line is unknown")
      return 0
  }
}

const report = (reader: LogReader, line: NumberedLine, message: string) =>
  reader.derivation.problem({ code: "unknown_line", message, raw: line.raw, line: line.number })

/** A copy would cost as much as the rest of the post, at each start of a freeze time. */
function* linesFrom(lines: ReadonlyArray<NumberedLine>, next: number): Iterable<NumberedLine> {
  for (let i = next; i < lines.length; i++) {
    const line = lines[i]
    if (line !== undefined) yield line
  }
}
