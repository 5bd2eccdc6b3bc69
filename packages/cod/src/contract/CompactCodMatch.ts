/** A live Call of Duty match in message format v2, the document that deltas patch. */
import { type LiveDocument, liveDocument } from "@matchpoint/game/contract/liveDocument"
import { Schema, Struct } from "effect"
import { CodCurrentMap, LiveCodMatch } from "./LiveCodMatch.ts"

/** Format v2 leaves these out of the map in progress, because the entry of the map in `maps` has them. */
const copied = ["mapName", "gameMode", "team1Score", "team2Score", "startedAt"] as const

const currentMap = Schema.NullOr(CodCurrentMap.mapFields(Struct.omit(copied)))
const derived = liveDocument(
  LiveCodMatch.mapFields((fields) => ({ ...fields, currentMap })),
  {
    time: "updatedAt",
    lists: { "team1.players": "playerId", "team2.players": "playerId", maps: "mapNumber" },
    first: ["matchId", "status", "source", "bestOf", "isComplete"],
  },
)

export const CompactCodMatch = derived.compact.annotate({ identifier: "CompactCodMatch" })
export type CompactCodMatch = typeof CompactCodMatch.Type

const currentOf = ({ currentMap: current, maps }: ReturnType<typeof derived.fullOf>): LiveCodMatch["currentMap"] => {
  const map = maps.find(({ mapNumber }) => mapNumber === current?.mapNumber)
  if (current === null || map === undefined) return null
  const { mapNumber, ...own } = current
  return { mapNumber, ...Struct.pick(map, copied), startedAt: map.startedAt ?? "", ...own }
}

export const codDocument: LiveDocument<LiveCodMatch, CompactCodMatch> = {
  ...derived,
  fullOf: (state) => {
    const full = derived.fullOf(state)
    return { ...full, currentMap: currentOf(full) }
  },
}
