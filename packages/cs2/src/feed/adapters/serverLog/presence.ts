/** Facts about players who change sides or leave. */
import type { LogReader } from "./LogReader.ts"
import { NOT_A_PLAYER } from "./lineRules.ts"
import type { LogPlayer } from "./playerTokens.ts"
import type { NumberedLine } from "./unreadLines.ts"

/** The game kills a player who changes sides, but that death does not count. A player who joins the spectators leaves. */
export const readSwitched = (reader: LogReader, line: NumberedLine, player: LogPlayer) => {
  if (player.id === null) return reader.ignore(NOT_A_PLAYER)
  if (player.side === null) return readLeft(reader, line, player)
  reader.onSheet(line, player)
  reader.memory = { ...reader.memory, fate: { playerId: player.id, kind: "leaving", at: line.at } }
}

export const readLeft = (reader: LogReader, line: NumberedLine, player: LogPlayer) => {
  const { id } = player
  if (id === null) return reader.ignore(NOT_A_PLAYER)
  reader.unseat(id)
  const known = reader.state.players.find((entry) => entry.id === id)
  if (known === undefined) return reader.ignore(NOT_A_PLAYER)
  if (!known.connected) return reader.ignore("no_change")
  reader.addFact(line, "left", { type: "PlayerLeft", payload: { playerId: id } })
}
