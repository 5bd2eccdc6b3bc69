/** Newest documents of a game's live matches. The rooms themselves are the same for all games. */
import type { LiveContract } from "@matchpoint/contracts/game/LiveContract"
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"

export const gameRooms = <Full extends object, Document extends JsonObject>(contract: LiveContract<Full, Document>) => {
  // The cast is safe because the contract of the game created the content of its rooms.
  const matchOf = (room: MatchRoom | undefined): Full | undefined =>
    room?.game?.game === contract.game ? (room.match as Full | undefined) : undefined
  return {
    /** Newest document in message format v1. Undefined if no live match has this id. */
    find: (rooms: LiveRooms, id: string): Full | undefined => (contract.isMatchId(id) ? matchOf(rooms.get(id)) : undefined),
    all: (rooms: LiveRooms): ReadonlyArray<Full> =>
      rooms.live().flatMap((room) => {
        const match = matchOf(room)
        return match === undefined ? [] : [match]
      }),
  }
}
