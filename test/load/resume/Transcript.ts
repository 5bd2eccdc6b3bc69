// Owns what one client has received over all its connections: its position in each match, and every error.

import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import { DELTA, SNAPSHOT, UPDATE } from "@matchpoint/cs2/contract/frames"

interface MatchProgress {
  readonly epoch: number
  readonly seq: number
}

const TYPE = /^\{"type":"([a-z0-9._]+)"/
const FRAME = /"position":([0-9]+),"matchId":"([^"]+)","epoch":([0-9]+),"seq":([0-9]+)/
const VERDICT = /"verdict":"([a-z]+)"/

export class Transcript {
  readonly #places = new Map<string, MatchProgress>()
  /** Cursor of the last frame. */
  cursor: (Cursor & { readonly position: number }) | undefined
  frames = 0
  lost = 0
  duplicated = 0
  gaps = 0
  /** Snapshots on connections that started with a cursor. */
  snapshots = 0
  /** The answer to the last cursor. */
  verdict: string | undefined
  resuming = false

  /** Takes the first 256 bytes of a message. Returns its type. */
  take(head: string): string {
    const type = TYPE.exec(head)?.[1] ?? "unknown"
    if (type === UPDATE || type === DELTA || type === SNAPSHOT) this.#frame(type, head)
    else if (type === "gap") this.gaps++
    else if (type === "resumed") this.verdict = VERDICT.exec(head)?.[1] ?? "unknown"
    return type
  }

  seqOf(matchId: string): number {
    return this.#places.get(matchId)?.seq ?? 0
  }

  #frame(type: string, head: string): void {
    const [, position, matchId, epochText, seqText] = FRAME.exec(head) ?? []
    if (matchId === undefined) throw new Error(`a frame without a cursor: ${head}`)
    const epoch = Number(epochText)
    const seq = Number(seqText)
    const before = this.#places.get(matchId)
    if (type === SNAPSHOT) {
      if (this.resuming) this.snapshots++
    } else {
      this.frames++
      if (before !== undefined && seq <= before.seq) this.duplicated++
      else if (seq !== (before?.seq ?? 0) + 1) this.lost += seq - (before?.seq ?? 0) - 1
    }
    this.#places.set(matchId, { epoch, seq })
    // A snapshot of a match is not a position in the room of all matches, unless nothing else was sent.
    const isCursor = type !== SNAPSHOT || Number(position) >= (this.cursor?.position ?? 0)
    if (isCursor) this.cursor = { matchId: matchId as Cursor["matchId"] & string, epoch, seq, position: Number(position) }
  }
}
