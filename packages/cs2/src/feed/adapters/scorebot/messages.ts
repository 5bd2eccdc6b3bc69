/**
 * Schema of the scorebot's messages: `log` (events, newest first), `scoreboard` (state of all players, about once per
 * second) and `score` (maps and series). Unused fields are not decoded. No other module depends on the format.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { Result, Schema } from "effect"
import type { Side } from "../../../rules/live/rules.ts"

const SideName = Schema.Literals(["CT", "TERRORIST", "SPECTATOR"])

const Kill = Schema.Struct({
  killerName: StorableText,
  killerSide: SideName,
  victimName: StorableText,
  victimSide: SideName,
  weapon: StorableText,
  headShot: Schema.Boolean,
})
export type ScorebotKill = typeof Kill.Type

const RoundEnd = Schema.Struct({
  counterTerroristScore: Schema.Natural,
  terroristScore: Schema.Natural,
  winner: Schema.Literals(["CT", "TERRORIST"]),
  winType: StorableText,
})
export type ScorebotRoundEnd = typeof RoundEnd.Type

const LogEntry = Schema.Union([
  Schema.Struct({ Kill }),
  Schema.Struct({ Suicide: Schema.Struct({ playerName: StorableText }) }),
  Schema.Struct({ BombPlanted: Schema.Struct({ playerName: StorableText }) }),
  Schema.Struct({ BombDefused: Schema.Struct({ playerName: StorableText }) }),
  Schema.Struct({ RoundStart: Schema.Unknown }),
  Schema.Struct({ RoundEnd }),
  Schema.Struct({ MatchStarted: Schema.Struct({ map: StorableText }) }),
  // Ignored: the scoreboard and the `MatchStarted` entry contain the relevant data.
  Schema.Struct({ PlayerJoin: Schema.Unknown }),
  Schema.Struct({ PlayerQuit: Schema.Unknown }),
  Schema.Struct({ MapChange: Schema.Unknown }),
])
export type LogEntry = typeof LogEntry.Type

const BoardPlayer = Schema.Struct({
  dbId: Schema.Natural,
  name: StorableText,
  /** Kills. Like deaths and assists, updated only at the end of a round. */
  score: Schema.Int,
  deaths: Schema.Natural,
  assists: Schema.Natural,
  alive: Schema.Boolean,
  money: Schema.Natural,
})
export type BoardPlayer = typeof BoardPlayer.Type

const Scoreboard = Schema.Struct({
  CT: Schema.Array(BoardPlayer),
  TERRORIST: Schema.Array(BoardPlayer),
  mapName: StorableText,
  ctTeamName: StorableText,
  terroristTeamName: StorableText,
  ctTeamId: Schema.Int,
  tTeamId: Schema.Int,
  currentRound: Schema.Natural,
  counterTerroristScore: Schema.Natural,
  terroristScore: Schema.Natural,
})
export type Scoreboard = typeof Scoreboard.Type

const Score = Schema.Struct({ wins: Schema.Record(Schema.String, Schema.Natural) })

const Log = Schema.Struct({ log: Schema.Array(LogEntry) })

export const Message = Schema.Union([
  // The scorebot sends the log as a JSON string, but captured files contain it already parsed.
  Schema.Struct({ timestamp: Schema.Natural, event: Schema.Literal("log"), args: Schema.Union([Log, Schema.fromJsonString(Log)]) }),
  Schema.Struct({ timestamp: Schema.Natural, event: Schema.Literal("scoreboard"), args: Scoreboard }),
  Schema.Struct({ timestamp: Schema.Natural, event: Schema.Literal("score"), args: Score }),
])
export type Message = typeof Message.Type

export const decodeMessage = Schema.decodeUnknownResult(Message)

/** Undefined if the message is malformed. */
export const messageOf = (value: unknown): Message | undefined => Result.getOrUndefined(decodeMessage(value))

export const sideOf = (name: typeof SideName.Type): Side | undefined => (name === "CT" ? "CT" : name === "TERRORIST" ? "T" : undefined)
