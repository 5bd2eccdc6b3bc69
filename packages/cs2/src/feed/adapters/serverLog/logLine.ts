/**
 * Parses one line of a CS2 server's log into its time and event. Supports the format of log files (`L 01/19/2026 -
 * 18:55:38: text`) and of posts (`01/19/2026 - 18:55:38.123 - text`). Only this module and the tables of forms depend
 * on the wording of the log. They know nothing about matches.
 */
import type { Side } from "../../../rules/live/rules.ts"
import { playerEvent } from "./playerLines.ts"
import type { LogPlayer } from "./playerTokens.ts"
import { serverEvent } from "./serverLines.ts"

export type LogEvent =
  | { readonly _tag: "Killed"; readonly killer: LogPlayer; readonly victim: LogPlayer; readonly weapon: string; readonly how: string }
  | {
      readonly _tag: "Attacked"
      readonly attacker: LogPlayer
      readonly victim: LogPlayer
      readonly weapon: string
      /** May exceed the health that the victim had left. */
      readonly damage: number
      readonly armorDamage: number
      readonly hpLeft: number
      readonly armorLeft: number
    }
  | { readonly _tag: "Assisted"; readonly assister: LogPlayer; readonly victim: LogPlayer; readonly flash: boolean }
  | { readonly _tag: "Suicide"; readonly player: LogPlayer; readonly weapon: string }
  | { readonly _tag: "KilledByBomb"; readonly player: LogPlayer }
  | { readonly _tag: "Triggered"; readonly player: LogPlayer; readonly what: string; readonly site: "A" | "B" | null }
  | { readonly _tag: "RoundWon"; readonly side: Side; readonly notice: string; readonly ct: number; readonly t: number }
  | { readonly _tag: "World"; readonly what: string }
  | { readonly _tag: "FreezeStarted" }
  /** `played` is the number of completed rounds that count for the map, or -1 during warmup. */
  | { readonly _tag: "Status"; readonly ct: number; readonly t: number; readonly map: string; readonly played: number }
  | { readonly _tag: "TeamNamed"; readonly side: Side; readonly name: string }
  | { readonly _tag: "Switched"; readonly player: LogPlayer }
  | { readonly _tag: "Left"; readonly player: LogPlayer }
  | { readonly _tag: "Money"; readonly player: LogPlayer; readonly money: number }
  | { readonly _tag: "LeftBuyzone"; readonly player: LogPlayer; readonly items: ReadonlyArray<string> }
  | { readonly _tag: "Pause"; readonly begins: boolean; readonly reason: string }
  | { readonly _tag: "StatsBegin" }
  | { readonly _tag: "StatsField"; readonly key: string; readonly value: string }
  | { readonly _tag: "StatsEnd" }
  | { readonly _tag: "GameOver"; readonly ct: number; readonly t: number }
  /** The server's setting for regulation rounds. */
  | { readonly _tag: "MaxRounds"; readonly rounds: number }
  /** No match event, but shows that the player is present and on which side. `rule` names the reason. */
  | { readonly _tag: "Seen"; readonly player: LogPlayer; readonly rule: string }
  /** Irrelevant line, such as a server setting, a remote command or chat. `rule` names the reason. */
  | { readonly _tag: "Irrelevant"; readonly rule: string }
  /**
   * A line that can be read in more than one way, because a name looks like a part of a line. `readings` is empty if
   * one of the readings is chat.
   */
  | { readonly _tag: "Ambiguous"; readonly readings: ReadonlyArray<LogEvent> }
  | { readonly _tag: "Unknown" }

export interface LogLine {
  /** Epoch milliseconds as if the server's clock showed UTC. The caller must correct it by the actual offset. */
  readonly at: number
  readonly event: LogEvent
}

/** `s`: a name may contain line separators (U+2028, U+2029), which `.` does not match otherwise. */
const prefix = /^(?:L )?(\d\d)\/(\d\d)\/(\d{4}) - (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?(?::| -) (.*)$/s

/** Longer lines are not parsed, because the time for that could grow with its square. */
export const MAX_LINE_LENGTH = 4_096

/** Undefined if the line is not from a server log. */
export const parseLogLine = (text: string): LogLine | undefined => {
  const match = text.length > MAX_LINE_LENGTH ? null : prefix.exec(text)
  if (match === null) return undefined
  const [, month, day, year, hour, minute, second, millis = "0", rest = ""] = match
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), Number(millis))
  return { at, event: playerEvent(rest) ?? serverEvent(rest) }
}

/** White space and NUL: some servers end each line, or begin it, with NUL. */
export const withoutEdges = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isEdge(text[start] ?? "")) start += 1
  while (start < end && isEdge(text[end - 1] ?? "")) end -= 1
  return text.slice(start, end)
}

const isEdge = (character: string): boolean => character === "\0" || character.trim() === ""

/** Players of a line, with the sides that they had when it was written. */
export const playersIn = (event: LogEvent): ReadonlyArray<LogPlayer> => {
  switch (event._tag) {
    case "Killed":
      return [event.killer, event.victim]
    case "Attacked":
      return [event.attacker, event.victim]
    case "Assisted":
      return [event.assister, event.victim]
    default:
      return "player" in event ? [event.player] : []
  }
}
