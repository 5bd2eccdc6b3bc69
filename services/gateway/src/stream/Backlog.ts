/**
 * Snapshots still to be sent to one client. Following all matches begins with one snapshot each, which can be more than a socket
 * takes at once: they go out as fast as it drains. A snapshot is of the moment it is sent, so that an update which overtakes it
 * is never followed by an older document.
 */
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"

export class Backlog {
  #rooms: Array<MatchRoom> = []
  #next = 0

  add(rooms: ReadonlyArray<MatchRoom>): void {
    this.#rooms.push(...rooms)
  }

  /** Sends until nothing is left or `send` answers false: sent, but the socket wants a pause. */
  pump(send: (room: MatchRoom) => boolean): void {
    while (this.#next < this.#rooms.length) {
      const room = this.#rooms[this.#next]
      this.#next += 1
      if (room !== undefined && !send(room)) return
    }
    this.#rooms = []
    this.#next = 0
  }
}
