/** Result of a lobby in the match register: everything that the archive needs after the state is gone. Pure. */
import { Schema } from "effect"
import { LobbySheet, Name } from "./lobby.ts"
import type { LobbyState, PastGame, PlayerLine } from "./state.ts"

const Count = Schema.Natural
const nullable = Schema.NullOr

/** The state in which the game left the player is not part of the result. */
const ResultLine = Schema.Struct({
  legend: nullable(Name),
  kills: Count,
  assists: Count,
  knockdowns: Count,
  revives: Count,
  respawns: Count,
  damage: nullable(Count),
  damageTaken: nullable(Count),
  ringDamage: nullable(Count),
  /** Epoch milliseconds; null if the player was alive at the end of the game. */
  diedAt: nullable(Count),
})

const ResultGame = Schema.Struct({
  number: Count,
  status: Schema.Literals(["completed", "cancelled"]),
  map: Name,
  bannedLegends: nullable(Schema.Array(Name)),
  startedAt: Count,
  endedAt: Count,
  isCorrected: Schema.Boolean,
  results: Schema.Array(Schema.Struct({ placement: Count, kills: Count })),
  players: Schema.Array(nullable(ResultLine)),
  countsEverything: Schema.Boolean,
})

export const ApexResult = Schema.Struct({
  epoch: Count,
  seq: Count,
  lobby: LobbySheet,
  games: Schema.Array(ResultGame),
  /** Team number; null if the series was cancelled. */
  winner: nullable(Count),
  startedAt: nullable(Count),
  endedAt: Count,
})
export type ApexResult = typeof ApexResult.Type

/** The lobby must be over. */
export const resultOf = (state: LobbyState): ApexResult => ({
  epoch: state.epoch,
  seq: state.seq,
  lobby: state.lobby,
  games: state.games.map((game: PastGame) => ({ ...game, players: game.players.map(lineOf) })),
  winner: state.winner,
  startedAt: state.startedAt,
  endedAt: state.endedAt ?? state.observedAt,
})

const lineOf = (line: PlayerLine | null): ApexResult["games"][number]["players"][number] => {
  if (line === null) return null
  const { isConnected: _, state: __, ...rest } = line
  return rest
}
