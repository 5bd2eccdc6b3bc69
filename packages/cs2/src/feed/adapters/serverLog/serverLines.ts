/** Forms of log lines that do not begin with a player: the score, the round, statistics, and the server itself. */
import type { LogEvent } from "./logLine.ts"
import { sideOf } from "./playerTokens.ts"

type Groups = ReadonlyArray<string | undefined>

interface Form {
  readonly pattern: RegExp
  readonly read: (groups: Groups) => LogEvent
}

const form = (pattern: string, read: Form["read"]): Form => ({ pattern: new RegExp(`^${pattern}$`, "s"), read })

const irrelevant = (rule: string, pattern: string): Form => form(pattern, () => ({ _tag: "Irrelevant", rule }))

const TEAM = `"(CT|TERRORIST)"`

/** Most frequent first. */
const forms: ReadonlyArray<Form> = [
  irrelevant("console_command", 'rcon from "[^"]*": command ".*"'),
  form('"(round_number|fields|player_\\d+)" ?: ?"([^"]*)",?', ([key = "", value = ""]) => ({ _tag: "StatsField", key, value })),
  irrelevant("statistics", '"(?:name|score_t|score_ct|map|server)" ?: ?".*",?'),
  irrelevant("statistics", '"players" ?: ?\\{'),
  form("JSON_BEGIN\\{", () => ({ _tag: "StatsBegin" })),
  form("\\}\\}JSON_END", () => ({ _tag: "StatsEnd" })),
  form('World triggered "([^"]+)".*', ([what = ""]) => ({ _tag: "World", what })),
  form('MatchStatus: Score: (\\d{1,4}):(\\d{1,4}) on map "([^"]+)" RoundsPlayed: (-?\\d{1,4})', ([ct, t, map = "", played]) => ({
    _tag: "Status",
    ct: Number(ct),
    t: Number(t),
    map,
    played: Number(played),
  })),
  form(`(?:MatchStatus: )?Team playing ${TEAM}: (.+)`, ([side, name = ""]) => ({
    _tag: "TeamNamed",
    side: sideOf(side) ?? "CT",
    name,
  })),
  form(`Team ${TEAM} triggered "SFUI_Notice_([A-Za-z_]+)" \\(CT "(\\d{1,4})"\\) \\(T "(\\d{1,4})"\\)`, ([side, notice = "", ct, t]) => ({
    _tag: "RoundWon",
    side: sideOf(side) ?? "CT",
    notice,
    ct: Number(ct),
    t: Number(t),
  })),
  form("Starting Freeze period", () => ({ _tag: "FreezeStarted" })),
  form("Match pause is (enabled|disabled) - (.+)", ([state, reason = ""]) => ({ _tag: "Pause", begins: state === "enabled", reason })),
  form("Match unpaused", () => ({ _tag: "Pause", begins: false, reason: "" })),
  form("Game Over: .* score (\\d{1,4}):(\\d{1,4}) after .*", ([ct, t]) => ({ _tag: "GameOver", ct: Number(ct), t: Number(t) })),
  irrelevant("score_repeated", `Team ${TEAM} scored "\\d+" with "\\d+" players`),
  irrelevant("team_unnamed", `MatchStatus: Team ${TEAM} is unset\\.`),
  form('(?:server_cvar: )?"mp_maxrounds"(?: =)? "(\\d{1,4})"', ([rounds]) => ({ _tag: "MaxRounds", rounds: Number(rounds) })),
  irrelevant("setting", '"[^"]+" = ".*"'),
  irrelevant("setting", 'server_cvar: "[^"]+" ".*"'),
  irrelevant("setting", "server cvars (?:start|end)"),
  irrelevant("grenade", "Molotov projectile spawned at .*"),
  irrelevant("accolade", "ACCOLADE, .*"),
  irrelevant("log_file", "Log file (?:started|closed).*"),
  irrelevant("map_load", "(?:Loading map|Started map|Started:) .*"),
  irrelevant("plugin", "\\[[A-Za-z][A-Za-z0-9 _.-]{0,40}\\].*"),
]

export const serverEvent = (text: string): LogEvent => {
  for (const { pattern, read } of forms) {
    const match = pattern.exec(text)
    if (match !== null) return read(match.slice(1))
  }
  return { _tag: "Unknown" }
}
