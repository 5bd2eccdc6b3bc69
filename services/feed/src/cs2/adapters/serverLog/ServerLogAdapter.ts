/**
 * Derives match events from the log of a CS2 server, one post at a time. A post (POST request body) contains the lines
 * that the server sends at once, or one second of a recorded log. A log has no sequence numbers, so a line is
 * identified by its time and text. A line older than the newest line has been sent before and is ignored. A line with
 * the same time as the newest is compared with the lines already read at that time. Processing is therefore idempotent:
 * a post that is sent again adds nothing.
 */

import { MAX_CLOCK_LEAD_MS } from "@matchpoint/domain/cs2/live/decide"
import { isStorable } from "@matchpoint/domain/storableText"
import { fingerprint } from "../../../fingerprint.ts"
import type { Adapter, AdapterStep } from "../Adapter.ts"
import { readAssisted, readAttacked, readKilled, readSuicide, readTriggered } from "./fights.ts"
import { emptyMemory, type LogMemory, recallLine } from "./LogMemory.ts"
import { LogReader, type NumberedLine } from "./LogReader.ts"
import { parseLogLine } from "./logLine.ts"
import { readLeftBuyzone, readMoney, readStatsEnd, readStatsField } from "./possessions.ts"
import { readFreeze, readGameOver, readPause, readRoundWon, readStatus, readTeamName, readWorld } from "./rounds.ts"

export const serverLog: Adapter<ReadonlyArray<string>, LogMemory> = {
  name: "log",
  initial: emptyMemory,
  recall: recallLine,
  step: ({ memory, state }, texts, receivedAt) => {
    const reader = new LogReader(state, memory, receivedAt)
    const lines = unread(reader, texts, receivedAt)
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]
      if (line !== undefined) i += read(reader, line, lines, i + 1)
    }
    const last = lines.at(-1)
    if (last !== undefined) reader.flushReports(last)
    return done(reader)
  },
}

const done = (reader: LogReader): AdapterStep<LogMemory> => reader.derivation.done(reader.memory)

/**
 * The estimated offset from UTC is rounded to a multiple of this value, 15 minutes. Servers write local time, and the
 * offsets of time zones are multiples of 15 minutes.
 */
const QUARTER_MS = 15 * 60_000

/** Maximum number of assist lines that can follow a kill. */
const MOST_ASSISTS = 9

/**
 * How far the times of a recording are moved back if it is sent faster than it was written: six hours, which is longer
 * than any match.
 */
const RECORDED_MS = 6 * 3_600_000

/**
 * Returns the number of milliseconds to add to a time in the log to get UTC. `last` is the time of the newest line in a
 * POST request body. Normally, the server has just written that line. If `last` is still ahead of this process's clock
 * after the offset has been added, the server's clock is wrong or the log is a recording, and the line is treated as
 * written now.
 *
 * If this happens again later in the same log, the log must be a recording that is sent faster than it was written. The
 * times of such a recording are moved back by several hours, so that the intervals between its events are preserved and
 * no event lies in the future.
 */
const offsetOf = (last: number, receivedAt: number, known: number | null): number => {
  const offset = known ?? Math.round((receivedAt - last) / QUARTER_MS) * QUARTER_MS
  if (last + offset <= receivedAt + MAX_CLOCK_LEAD_MS / 2) return offset
  return receivedAt - last - (known === null ? 0 : RECORDED_MS)
}

/** Returns the lines that have not been read before, in order, and marks them as read. */
const unread = (reader: LogReader, texts: ReadonlyArray<string>, receivedAt: number): ReadonlyArray<NumberedLine> => {
  const lines: Array<NumberedLine> = []
  let { newest, read } = reader.memory
  const parsed = texts.map((text) => (isStorable(text) ? parseLogLine(text.trimEnd()) : undefined))
  const last = parsed.reduce((latest, line) => Math.max(latest, line?.at ?? 0), 0)
  const offset = last === 0 ? reader.memory.offset : offsetOf(last, receivedAt, reader.memory.offset)
  let moment = new Set(read)
  for (const [index, raw] of texts.entries()) {
    if (raw.trim() === "") continue
    const number = index + 1
    const line = parsed[index]
    if (line === undefined) {
      const message = isStorable(raw) ? "not a line of a CS2 server log" : "the line contains a NUL character, which cannot be stored"
      reader.derivation.problem({ code: "malformed", message, raw, line: number })
      continue
    }
    const mark = fingerprint(raw.trimEnd())
    if (line.at < newest || (line.at === newest && moment.has(mark))) {
      reader.derivation.ignore()
      continue
    }
    if (line.at > newest) {
      newest = line.at
      moment = new Set()
    }
    moment.add(mark)
    lines.push({ ...line, number, raw, mark })
  }
  read = moment
  reader.memory = { ...reader.memory, newest, offset, read }
  return lines
}

/**
 * Processes one line together with any following lines that belong to it. `lines[next]` is the first following line.
 * Returns how many of the following lines were processed.
 */
const read = (reader: LogReader, line: NumberedLine, lines: ReadonlyArray<NumberedLine>, next: number): number => {
  const { event } = line
  reader.at = line.at + (reader.memory.offset ?? 0)
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
      readFreeze(reader, line, lines.slice(next))
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
      if (reader.onSheet(line, event.player) === null) reader.derivation.ignore()
      return 0
    case "Other":
      reader.derivation.ignore()
      return 0
  }
}

/**
 * The game kills a player who changes sides, but that death does not count. A player who joins the spectators leaves
 * the match.
 */
const readSwitched = (reader: LogReader, line: NumberedLine, player: Parameters<LogReader["seat"]>[0]) => {
  if (player.id === null) return reader.derivation.ignore()
  if (player.side === null) return readLeft(reader, line, player)
  reader.onSheet(line, player)
  reader.memory = { ...reader.memory, fate: { playerId: player.id, kind: "leaving", at: line.at } }
}

const readLeft = (reader: LogReader, line: NumberedLine, player: Parameters<LogReader["seat"]>[0]) => {
  const { id } = player
  if (id === null) return reader.derivation.ignore()
  reader.unseat(id)
  const known = reader.state.players.find((entry) => entry.id === id)
  if (known?.connected !== true) return reader.derivation.ignore()
  reader.addFact(line, "left", { type: "PlayerLeft", payload: { playerId: id } })
}
