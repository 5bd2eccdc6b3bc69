/**
 * Checks what one client has received: no lost, duplicated or reordered frame, and nothing earlier than its plan allows.
 * Pure. A range that the server has announced as missing is counted, not reported; strict scenarios demand zero.
 */
import type { MissingRange } from "@matchpoint/contracts/stream/messages"

/** `at` is the time of arrival in epoch milliseconds. */
export type TranscriptEntry =
  | { readonly kind: "open"; readonly at: number; readonly target: number; readonly resumes: boolean }
  | { readonly kind: "close"; readonly at: number; readonly reason: string }
  /** The client has everything that existed when it subscribed or resumed. */
  | { readonly kind: "live"; readonly at: number }
  | FrameEntry
  | { readonly kind: "resumed"; readonly at: number; readonly verdict: string; readonly missing: ReadonlyArray<MissingRange> }
  | { readonly kind: "gap"; readonly at: number; readonly missing: ReadonlyArray<MissingRange> }
  | { readonly kind: "error"; readonly at: number; readonly message: string }

export interface FrameEntry {
  /** A snapshot is the newest document of a match, which needs no frame before it. */
  readonly kind: "frame" | "snapshot"
  readonly at: number
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  /** Time at which the log stored it, in epoch milliseconds. */
  readonly publishedAt: number
}

export interface TranscriptReport {
  readonly frames: number
  readonly connects: number
  /** Answers to cursors, counted by verdict. */
  readonly verdicts: Readonly<Record<string, number>>
  /** Frames that the server announced as missing. */
  readonly announced: number
  /** Violations, at most 20; `violations` counts all. */
  readonly findings: ReadonlyArray<string>
  readonly violations: number
  /** Newest position in each match. */
  readonly places: ReadonlyMap<string, Place>
}

export interface Place {
  readonly epoch: number
  readonly seq: number
}

const LISTED = 20

/** `delayMs`: delay of the client's plan. */
export const checkTranscript = (client: string, entries: ReadonlyArray<TranscriptEntry>, delayMs: number): TranscriptReport => {
  const check = new TranscriptCheck(client, delayMs)
  for (const entry of entries) check.take(entry)
  return check.report
}

class TranscriptCheck {
  readonly #client: string
  readonly #delayMs: number
  readonly #places = new Map<string, Place>()
  readonly #verdicts: Record<string, number> = {}
  readonly #findings: Array<string> = []
  /** Ranges that the server has announced and that no frame has passed yet. */
  #excused: Array<MissingRange> = []
  /** After a reset or a gap, the next snapshot of each match may be anywhere ahead. */
  readonly #mayJump = new Set<string>()
  #jumpsAll = true
  #violations = 0
  #frames = 0
  #connects = 0
  #announced = 0

  constructor(client: string, delayMs: number) {
    this.#client = client
    this.#delayMs = delayMs
  }

  get report(): TranscriptReport {
    return {
      frames: this.#frames,
      connects: this.#connects,
      verdicts: this.#verdicts,
      announced: this.#announced,
      findings: this.#findings,
      violations: this.#violations,
      places: this.#places,
    }
  }

  take(entry: TranscriptEntry): void {
    switch (entry.kind) {
      case "open":
        this.#connects += 1
        this.#jumpsAll = !entry.resumes
        this.#mayJump.clear()
        return
      case "resumed":
        this.#verdicts[entry.verdict] = (this.#verdicts[entry.verdict] ?? 0) + 1
        if (entry.verdict === "reset") this.#jumpsAll = true
        this.#excuse(entry.missing)
        return
      case "gap":
        this.#excuse(entry.missing)
        return
      case "frame":
      case "snapshot":
        this.#frame(entry)
        return
      case "error":
        this.#violation(`the server reported an error: ${entry.message}`)
    }
  }

  #excuse(missing: ReadonlyArray<MissingRange>): void {
    this.#excused.push(...missing)
    for (const { matchId } of missing) this.#mayJump.add(matchId)
  }

  #frame({ at, epoch, kind, matchId, publishedAt, seq }: FrameEntry): void {
    const place = `${matchId} ${epoch}:${seq}`
    if (at < publishedAt + this.#delayMs)
      this.#violation(`${place} arrived ${at - publishedAt} ms after it was published, before ${this.#delayMs} ms`)
    const before = this.#places.get(matchId)
    if (kind === "snapshot") this.#snapshot(before, { epoch, seq }, matchId, place)
    else this.#change(before, { epoch, seq }, matchId, place)
  }

  #change(before: Place | undefined, now: Place, matchId: string, place: string): void {
    this.#frames += 1
    if (before !== undefined && now.epoch < before.epoch) this.#violation(`${place} arrived after epoch ${before.epoch}`)
    else if (before !== undefined && now.epoch === before.epoch && now.seq <= before.seq) {
      this.#violation(now.seq === before.seq ? `${place} arrived twice` : `${place} arrived after ${before.seq}`)
    } else {
      if (before === undefined || now.epoch === before.epoch) this.#passed(matchId, now.epoch, (before?.seq ?? 0) + 1, now.seq - 1, place)
      else this.#violation(`${place} begins a new epoch after ${before.epoch}:${before.seq}: history was lost`)
      this.#places.set(matchId, now)
    }
  }

  #snapshot(before: Place | undefined, now: Place, matchId: string, place: string): void {
    if (before !== undefined && now.epoch !== before.epoch) {
      this.#violation(`snapshot ${place} has another epoch than ${before.epoch}:${before.seq}`)
    } else if (before !== undefined && now.seq < before.seq) {
      this.#violation(`snapshot ${place} is older than ${before.seq}`)
    } else {
      if (before !== undefined && (this.#jumpsAll || this.#mayJump.has(matchId))) {
        this.#excused.push(rangeOf(matchId, now.epoch, before.seq + 1, now.seq))
      }
      if (before !== undefined) this.#passed(matchId, now.epoch, before.seq + 1, now.seq, place)
      this.#places.set(matchId, now)
    }
    this.#mayJump.delete(matchId)
  }

  /** Accounts for the frames `from` to `to`, which did not arrive. */
  #passed(matchId: string, epoch: number, from: number, to: number, place: string): void {
    if (to < from) return
    const lost: Array<number> = []
    for (let seq = from; seq <= to; seq++) {
      if (this.#excused.some((range) => range.matchId === matchId && range.epoch === epoch && range.from <= seq && seq <= range.to)) {
        this.#announced += 1
      } else lost.push(seq)
    }
    this.#excused = this.#excused.filter((range) => range.matchId !== matchId || range.to > to)
    if (lost.length > 0)
      this.#violation(`${place}: ${lost.length} frames before it are lost without an announcement, from ${lost[0]}`, lost.length)
  }

  #violation(text: string, count = 1): void {
    this.#violations += count
    if (this.#findings.length < LISTED) this.#findings.push(`${this.#client}: ${text}`)
  }
}

const rangeOf = (matchId: string, epoch: number, from: number, to: number): MissingRange => ({
  matchId: matchId as MissingRange["matchId"],
  epoch,
  from,
  to,
})
