/**
 * Parses one line of a CS2 server's log into its time and event. Supports the format of log files (`L 01/19/2026 -
 * 18:55:38: text`) and of HTTP posts (`01/19/2026 - 18:55:38.123 - text`). Only this module depends on the wording of
 * the log, and it knows nothing about matches.
 */

import { type PlayerId, playerId } from "@matchpoint/domain/cs2/ids"
import type { Side } from "@matchpoint/domain/cs2/live/rules"

/** A player on the server. `id` is `null` for bots and for players without a Steam account. */
export interface LogPlayer {
  readonly name: string
  readonly id: PlayerId | null
  /** Side of the player, or `null` for spectators and players who have not joined a side. */
  readonly side: Side | null
}

export type LogEvent =
  | { readonly _tag: "Killed"; readonly killer: LogPlayer; readonly victim: LogPlayer; readonly weapon: string; readonly how: string }
  | {
      readonly _tag: "Attacked"
      readonly attacker: LogPlayer
      readonly victim: LogPlayer
      readonly weapon: string
      /** Damage of the hit. It may exceed the health that the victim had left. */
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
  /** An action that does not become a match event but shows that the player is present and on which side. */
  | { readonly _tag: "Seen"; readonly player: LogPlayer }
  /** Irrelevant line, such as a server setting or a remote command. */
  | { readonly _tag: "Other" }

export interface LogLine {
  /**
   * Time of the line in epoch milliseconds, calculated as if the server's clock showed UTC. The caller must correct it
   * by the actual offset.
   */
  readonly at: number
  readonly event: LogEvent
}

const prefix = /^(?:L )?(\d\d)\/(\d\d)\/(\d{4}) - (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?(?::| -) (.*)$/

/** Parses a line. Returns undefined if it is not from a server log. */
export const parseLogLine = (text: string): LogLine | undefined => {
  const match = prefix.exec(text)
  if (match === null) return undefined
  const [, month, day, year, hour, minute, second, millis = "0", rest = ""] = match
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), Number(millis))
  return { at, event: eventOf(rest) }
}

const PLAYER = String.raw`"(.+?)<\d+><(\[U:1:\d+\]|BOT|Console|STEAM[^>]*|)>(?:<(CT|TERRORIST|Unassigned|Spectator|)>)?"`
const PLACE = String.raw` \[-?\d+ -?\d+ -?\d+\]`
const NUMBER = String.raw`"(-?\d+)"`

type Groups = ReadonlyArray<string | undefined>
interface Form {
  /** Word that every line of this form contains. Searching for the word first is cheaper than matching the pattern. */
  readonly has: string
  readonly pattern: RegExp
  readonly read: (groups: Groups) => LogEvent | undefined
}

const form = (has: string, pattern: string, read: Form["read"]): Form => ({ has, pattern: new RegExp(`^${pattern}$`), read })

/** Supported forms of lines, most frequent first. */
const forms: ReadonlyArray<Form> = [
  form(
    "attacked",
    `${PLAYER}${PLACE} attacked ${PLAYER}${PLACE} with "([^"]*)" \\(damage ${NUMBER}\\) \\(damage_armor ${NUMBER}\\) \\(health ${NUMBER}\\) \\(armor ${NUMBER}\\).*`,
    (g) => ({
      _tag: "Attacked",
      attacker: player(g, 0),
      victim: player(g, 3),
      weapon: g[6] ?? "",
      damage: Number(g[7]),
      armorDamage: Number(g[8]),
      hpLeft: Number(g[9]),
      armorLeft: Number(g[10]),
    }),
  ),
  form("money change", `${PLAYER} money change .* = \\$(\\d+) \\(tracked\\).*`, (g) => ({
    _tag: "Money",
    player: player(g, 0),
    money: Number(g[3]),
  })),
  form("killed", `${PLAYER}${PLACE} killed ${PLAYER}${PLACE} with "([^"]*)"(?: \\(([a-z ]*)\\))?`, (g) => ({
    _tag: "Killed",
    killer: player(g, 0),
    victim: player(g, 3),
    weapon: g[6] ?? "",
    how: g[7] ?? "",
  })),
  form("assisted killing", `${PLAYER} (flash-)?assisted killing ${PLAYER}`, (g) => ({
    _tag: "Assisted",
    assister: player(g, 0),
    victim: player(g, 4),
    flash: g[3] !== undefined,
  })),
  form("left buyzone", `${PLAYER} left buyzone with \\[ ?(.*?) ?\\]`, (g) => ({
    _tag: "LeftBuyzone",
    player: player(g, 0),
    items: (g[3] ?? "").split(" ").filter((item) => item !== ""),
  })),
  form("triggered", `${PLAYER} triggered "([A-Za-z_]+)"(?: at bombsite ([AB]))?`, (g) => ({
    _tag: "Triggered",
    player: player(g, 0),
    what: g[3] ?? "",
    site: g[4] === "A" || g[4] === "B" ? g[4] : null,
  })),
  form("triggered", `Team "(CT|TERRORIST)" triggered "SFUI_Notice_([A-Za-z_]+)" \\(CT ${NUMBER}\\) \\(T ${NUMBER}\\)`, (g) => ({
    _tag: "RoundWon",
    side: side(g[0]) ?? "CT",
    notice: g[1] ?? "",
    ct: Number(g[2]),
    t: Number(g[3]),
  })),
  form("triggered", `World triggered "([^"]+)".*`, (g) => ({ _tag: "World", what: g[0] ?? "" })),
  form("MatchStatus", `MatchStatus: Score: (\\d+):(\\d+) on map "([^"]+)" RoundsPlayed: (-?\\d+)`, (g) => ({
    _tag: "Status",
    ct: Number(g[0]),
    t: Number(g[1]),
    map: g[2] ?? "",
    played: Number(g[3]),
  })),
  form("eam playing", `(?:MatchStatus: )?Team playing "(CT|TERRORIST)": (.+)`, (g) => ({
    _tag: "TeamNamed",
    side: side(g[0]) ?? "CT",
    name: g[1] ?? "",
  })),
  form("Starting Freeze period", "Starting Freeze period", () => ({ _tag: "FreezeStarted" })),
  form("switched from team", `${PLAYER} switched from team <[A-Za-z]*> to <([A-Za-z]*)>`, (g) => ({
    _tag: "Switched",
    player: { ...player(g, 0), side: side(g[3]) },
  })),
  form("disconnected", `${PLAYER} disconnected.*`, (g) => ({ _tag: "Left", player: player(g, 0) })),
  form("committed suicide", `${PLAYER}${PLACE} committed suicide with "([^"]*)".*`, (g) => ({
    _tag: "Suicide",
    player: player(g, 0),
    weapon: g[3] ?? "",
  })),
  form("killed by the bomb", `${PLAYER}${PLACE} was killed by the bomb\\.?`, (g) => ({ _tag: "KilledByBomb", player: player(g, 0) })),
  form("Match pause is", "Match pause is (enabled|disabled) - (.+)", (g) => ({
    _tag: "Pause",
    begins: g[0] === "enabled",
    reason: g[1] ?? "",
  })),
  form("JSON_BEGIN", "JSON_BEGIN\\{", () => ({ _tag: "StatsBegin" })),
  form("JSON_END", "\\}\\}JSON_END", () => ({ _tag: "StatsEnd" })),
  form('"', `"(round_number|fields|player_\\d+)" ?: ?"([^"]*)",?`, (g) => ({ _tag: "StatsField", key: g[0] ?? "", value: g[1] ?? "" })),
  form("><", `${PLAYER} .*`, (g) => ({ _tag: "Seen", player: player(g, 0) })),
  form("Game Over", "Game Over: .* score (\\d+):(\\d+) after .*", (g) => ({ _tag: "GameOver", ct: Number(g[0]), t: Number(g[1]) })),
]

/** Returns all players named in a line, with the sides they had when it was written. */
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

const other: LogEvent = { _tag: "Other" }

const eventOf = (text: string): LogEvent => {
  for (const { has, pattern, read } of forms) {
    if (!text.includes(has)) continue
    const match = pattern.exec(text)
    if (match !== null) return read(match.slice(1)) ?? other
  }
  return other
}

const side = (text: string | undefined): Side | null => (text === "CT" ? "CT" : text === "TERRORIST" ? "T" : null)

const player = (groups: Groups, from: number): LogPlayer => ({
  name: groups[from] ?? "",
  id: accountOf(groups[from + 1] ?? ""),
  side: side(groups[from + 2]),
})

/**
 * Returns the Steam account number in a SteamID: n for `[U:1:n]`, and 2z + y for the older form `STEAM_1:y:z`. Returns
 * `null` for any other text, such as that of a bot.
 */
const accountOf = (text: string): PlayerId | null => {
  const modern = /^\[U:1:([1-9]\d{0,9})\]$/.exec(text)
  if (modern !== null) return playerId(Number(modern[1]))
  const older = /^STEAM_[0-9]:([01]):(\d{1,10})$/.exec(text)
  const account = older === null ? 0 : 2 * Number(older[2]) + Number(older[1])
  return account > 0 ? playerId(account) : null
}
