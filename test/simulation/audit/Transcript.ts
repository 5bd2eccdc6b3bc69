/**
 * The state that a correct client keeps across its connections, and the checks of what it receives: nothing lost or
 * repeated, in order, no data newer than the plan's delay allows, every exception announced. It owns no connection.
 */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { MissingRange } from "@matchpoint/contracts/stream/messages"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Findings } from "./Findings.ts"
import { type ControlMessage, nameOf, type Received } from "./Hearing.ts"
import type { History, Version } from "./History.ts"

export interface RoomState {
  readonly room: string
  readonly matchId: MatchId | undefined // undefined: all matches
  readonly conflated: boolean
  /** True from sending a cursor until the verdict about it arrives. */
  awaitsVerdict: boolean
  caughtUp: boolean
  /** Reset by the server on its own account, because the log is another one. No `caught_up` follows then. */
  wasReset: boolean
  /** True while the snapshots that the client requested again are pending. */
  restarting: boolean
}

interface MatchProgress {
  /** Undefined: the match is announced, but no frame has arrived. */
  version: Version | undefined
  /** End of the frames announced as missing. A snapshot must follow. */
  missingTo: { readonly epoch: number; readonly seq: number } | undefined
  /** A snapshot may arrive unannounced, because the client has changed how it follows the match. */
  mayRestart: boolean
  /**
   * The client resumed from a cursor older than this version. The frames between are sent again, and it already has
   * them.
   */
  wasAhead: boolean
}

export interface TranscriptOptions {
  readonly name: string
  readonly history: History
  readonly findings: Findings
  readonly now: () => number
  readonly delayMs: number
  /** SSE in shape v1 has no snapshots: an update takes their place. */
  readonly updatesAreSnapshots: boolean
}

export class Transcript {
  readonly #options: TranscriptOptions
  readonly #places = new Map<MatchId, MatchProgress>()
  readonly rooms = new Map<string, RoomState>()
  /** The last frame of the room `all` up to which every frame was received. */
  allCursor: Version | undefined
  /** Time of the server's last heartbeat, or of the first caught-up room on this connection. */
  #heartbeatAt: number | undefined
  frames = 0
  gaps = 0
  digest = 0

  constructor(options: TranscriptOptions) {
    this.#options = options
  }

  place(matchId: MatchId): Version | undefined {
    return this.#places.get(matchId)?.version
  }

  get places(): ReadonlyMap<MatchId, MatchProgress> {
    return this.#places
  }

  /** Starts a new connection: the client has to join its rooms again, but its state stays. */
  reconnected(): void {
    this.rooms.clear()
    this.#heartbeatAt = undefined
    for (const place of this.#places.values()) place.missingTo = undefined
  }

  /** The client joins a room, with a cursor or from the start. */
  entering(room: string, matchId: MatchId | undefined, conflated: boolean, cursor: Cursor | undefined): void {
    this.rooms.set(room, {
      room,
      matchId,
      conflated,
      awaitsVerdict: cursor !== undefined,
      caughtUp: false,
      wasReset: false,
      // A resync that the client has requested in the meantime is answered, too.
      restarting: this.rooms.get(room)?.restarting ?? false,
    })
    if (cursor === undefined) {
      this.#forget(matchId)
      return
    }
    const from = matchId === undefined ? (cursor.position ?? 0) : undefined
    for (const place of this.#places.values()) {
      place.wasAhead = from !== undefined && (place.version?.records[0]?.position ?? 0) > from
    }
  }

  left(room: string): void {
    this.rooms.delete(room)
    for (const [matchId, place] of this.#places) {
      if (this.#roomOf(matchId) === undefined) this.#places.delete(matchId)
      else if (room === ALL) place.mayRestart = true
    }
  }

  /** The client requests the snapshots of a room again. */
  resyncing(room: RoomState): void {
    room.caughtUp = false
    room.restarting = true
    for (const [matchId, place] of this.#places) if (room.matchId === undefined || room.matchId === matchId) place.mayRestart = true
  }

  receive(received: Received, sentAt: number): void {
    const { delayMs } = this.#options
    if (received._tag === "Wrong") return
    if (received._tag === "Control") {
      this.#receiveMessage(received.message, sentAt)
      return
    }
    const { at, version } = received
    if (sentAt - at < delayMs) this.#wrong(`received ${nameOf(version)} after ${sentAt - at} ms`)
    this.frames += 1
    this.digest = (Math.imul(this.digest, 31) + version.seq * 7 + received._tag.length + received.position) | 0
    const room = this.#roomOf(version.matchId)
    if (room === undefined) {
      this.#wrong(`received ${nameOf(version)}, which it does not follow`)
      return
    }
    const place = this.#places.get(version.matchId) ?? newPlace()
    this.#places.set(version.matchId, place)
    if (received._tag === "Snapshot") this.#snapshot(place, version, room)
    else if (place.wasAhead && place.version !== undefined && !isAfter(version, place.version)) return
    else this.#frame(place, version, room, received._tag === "Delta" ? received.base : undefined)
    place.version = version
    place.wasAhead = false
    if (room.matchId === undefined && (room.caughtUp || received._tag !== "Snapshot") && !this.#options.updatesAreSnapshots)
      this.#moveAll(version)
  }

  /** Called once everything is quiet: the client must have the latest state. */
  settle(isKnown: (matchId: MatchId) => boolean): void {
    for (const state of this.rooms.values()) {
      if (!state.caughtUp && !state.wasReset && !this.rooms.has(ALL) && state.matchId !== undefined && isKnown(state.matchId))
        this.#wrong(`never caught up in ${state.room}`)
    }
    for (const [matchId, place] of this.#places) {
      if (this.#roomOf(matchId) === undefined || !isKnown(matchId)) continue
      const last = this.#options.history.last(matchId)
      if (last !== undefined && place.version !== last)
        this.#wrong(`ends at ${place.version === undefined ? "nothing" : nameOf(place.version)}, the match at ${nameOf(last)}`)
    }
  }

  /** Called periodically while the connection is open and fast. */
  checkHeartbeat(): void {
    const now = this.#options.now()
    if (this.#heartbeatAt !== undefined && now - this.#heartbeatAt > HEARTBEAT_WITHIN_MS) {
      this.#wrong(`no heartbeat for ${now - this.#heartbeatAt} ms`)
      this.#heartbeatAt = now
    }
  }

  #snapshot(place: MatchProgress, version: Version, room: RoomState): void {
    const { missingTo, version: known } = place
    if (missingTo !== undefined) {
      const reaches = version.epoch > missingTo.epoch || (version.epoch === missingTo.epoch && version.seq >= missingTo.seq)
      if (!reaches) this.#wrong(`missing up to ${missingTo.epoch}:${missingTo.seq}, but the snapshot is ${nameOf(version)}`)
      place.missingTo = undefined
      return
    }
    const mayRestart = place.mayRestart || room.restarting
    place.mayRestart = false
    if (known === undefined || mayRestart) return
    if (room.awaitsVerdict) this.#wrong(`a snapshot ${nameOf(version)} before the verdict about its cursor`)
    // A conflated client that fell behind receives the current state of its channel, even if that has not changed.
    if (room.conflated && !isAfter(known, version)) return
    // Two simultaneous requests (for example a subscription and a resync) are both answered.
    if (!isAfter(known, version) && !isAfter(version, known)) return
    this.#wrong(`an unannounced snapshot ${nameOf(version)} after ${nameOf(known)}`)
  }

  #frame(place: MatchProgress, version: Version, room: RoomState, base: number | undefined): void {
    const { missingTo, version: known } = place
    const { updatesAreSnapshots } = this.#options
    if (
      base === undefined &&
      updatesAreSnapshots &&
      (missingTo !== undefined || known === undefined || (room.conflated && known === version))
    ) {
      this.#snapshot(place, version, room)
      return
    }
    if (room.awaitsVerdict) this.#wrong(`${nameOf(version)} before the verdict about its cursor`)
    if (missingTo !== undefined) {
      this.#wrong(`${nameOf(version)} where a snapshot was due`)
      place.missingTo = undefined
      return
    }
    const begins = known === undefined || version.epoch > known.epoch
    if (base !== undefined ? begins : begins && !room.conflated) {
      const first = base ?? version.seq - 1
      if (first !== 0)
        this.#wrong(
          `starts with ${nameOf(version)}${base === undefined ? "" : ` on ${base}`}, after ${known === undefined ? "nothing" : nameOf(known)}`,
        )
      return
    }
    if (known === undefined || begins) return
    if (version.epoch < known.epoch || version.seq <= known.seq) {
      this.#wrong(`received ${nameOf(version)} after ${nameOf(known)}`)
      return
    }
    const from = base ?? (room.conflated ? known.seq : version.seq - 1)
    if (from !== known.seq)
      this.#wrong(`lost the frames between ${nameOf(known)} and ${nameOf(version)}${base === undefined ? "" : ` on ${base}`}`)
  }

  #receiveMessage(message: ControlMessage, sentAt: number): void {
    this.digest = (Math.imul(this.digest, 31) + message.type.length) | 0
    switch (message.type) {
      case "heartbeat":
        this.#heartbeatAt = sentAt
        this.#checkDelay(message.position, sentAt, "a heartbeat")
        this.#checkTime(Date.parse(message.at), sentAt)
        for (const { matchId, epoch, seq, age_ms } of message.matches)
          this.#checkAlive(matchId, epoch, seq, age_ms, Date.parse(message.at), sentAt)
        break
      case "gap":
        this.gaps += 1
        for (const range of message.missing) this.#missing(range, sentAt)
        break
      case "resumed": {
        const room = this.rooms.get(message.room)
        // A gateway that is behind the client corrects its earlier verdict with a reset.
        if (room === undefined || !(room.awaitsVerdict || message.verdict === "reset")) {
          this.#wrong(`an unexpected verdict about ${message.room}`)
          break
        }
        room.wasReset = !room.awaitsVerdict
        room.awaitsVerdict = false
        if (message.verdict === "reset") {
          room.caughtUp = false
          this.#forget(room.matchId)
        }
        for (const range of message.missing) this.#missing(range, sentAt)
        if ((message.verdict === "partial") !== message.missing.length > 0)
          this.#wrong(`${message.verdict} with ${message.missing.length} ranges`)
        break
      }
      case "caught_up":
        this.#checkDelay(message.position, sentAt, "caught_up")
        for (const name of message.rooms) this.#caughtUp(name, message.cursor, sentAt)
        break
      case "reconnect":
        for (const [room, cursor] of Object.entries(message.resume)) this.#checkReconnect(room, cursor, sentAt)
        break
    }
  }

  #caughtUp(name: string, cursor: Cursor | undefined, sentAt: number): void {
    const room = this.rooms.get(name)
    if (room === undefined) {
      this.#wrong(`caught up in ${name}, which it does not follow`)
      return
    }
    if (room.awaitsVerdict) this.#wrong(`caught up in ${name} without a verdict about its cursor`)
    room.caughtUp = true
    room.restarting = false
    this.#heartbeatAt ??= sentAt
    for (const [matchId, place] of this.#places) {
      if (room.matchId !== undefined && room.matchId !== matchId) continue
      if (place.missingTo !== undefined) this.#wrong(`caught up in ${name}, but the snapshot of ${matchId} was not sent`)
      const known = place.version
      if (room.matchId === undefined || room.conflated || cursor === undefined || known === undefined) continue
      if (known.epoch !== cursor.epoch || known.seq !== cursor.seq) {
        this.#wrong(`caught up in ${name} at ${cursor.epoch}:${cursor.seq}, but has ${nameOf(known)}`)
      }
    }
    // The room `all` may be resumed only from a point before which every frame was received. This is such a point.
    if (room.matchId === undefined && cursor?.matchId !== undefined) {
      this.allCursor = this.#options.history.version(cursor.matchId, cursor.epoch, cursor.seq)
    }
  }

  /**
   * Checks a heartbeat's time by the log's clock, which is the loop's. It is never ahead, and behind by at most the
   * time that the log takes to report its time.
   */
  #checkTime(at: number, sentAt: number): void {
    if (at > sentAt || sentAt - at > LOG_ANSWERS_WITHIN_MS) this.#wrong(`a heartbeat from ${sentAt - at} ms ago`)
  }

  #checkAlive(matchId: MatchId, epoch: number, seq: number, ageMs: number, at: number, sentAt: number): void {
    const { delayMs, history } = this.#options
    const reported = history.version(matchId, epoch, seq)
    const [record] = reported?.records ?? []
    if (reported === undefined || record === undefined) {
      this.#wrong(`a heartbeat reports ${matchId} at ${epoch}:${seq}, which does not exist`)
      return
    }
    if (sentAt - record.at < delayMs) this.#wrong(`a heartbeat reports ${nameOf(reported)} after ${sentAt - record.at} ms`)
    if (!reported.records.some((one) => Math.max(0, at - one.at) === ageMs))
      this.#wrong(`a heartbeat reports ${nameOf(reported)} as ${ageMs} ms old, not ${at - record.at}`)
    const room = this.#roomOf(matchId)
    const place = this.#places.get(matchId)
    if (room?.caughtUp !== true || place?.missingTo !== undefined) return
    const known = place?.version
    // The match ended so long ago that some gateways have forgotten it.
    if (known === undefined && at - record.at > FORGOTTEN_AFTER_MS) return
    if (room.conflated ? known === undefined || !isAfter(known, reported) : known === reported) return
    this.#wrong(`a heartbeat reports ${nameOf(reported)}, but the client has ${known === undefined ? "nothing" : nameOf(known)}`)
  }

  #checkReconnect(name: string, cursor: Cursor, sentAt: number): void {
    const room = this.rooms.get(name)
    if (room === undefined) {
      this.#wrong(`received a cursor to resume ${name}, which it does not follow`)
      return
    }
    if (cursor.position !== undefined) this.#checkDelay(cursor.position, sentAt, "reconnect")
    if (room.conflated) return
    for (const [matchId, { version, missingTo }] of this.#places) {
      // The client does not know yet that the log is another one.
      if (version?.isLost === true) continue
      if (missingTo !== undefined || version === undefined || (room.matchId !== undefined && room.matchId !== matchId)) continue
      const due =
        room.matchId === undefined
          ? lastUpTo(this.#options.history.of(matchId), cursor.position ?? 0)
          : this.#options.history.version(matchId, cursor.epoch, cursor.seq)
      if (due !== undefined && isAfter(due, version)) this.#wrong(`asked to resume at ${nameOf(due)}, but has only ${nameOf(version)}`)
    }
  }

  #missing({ epoch, from, matchId, to }: MissingRange, sentAt: number): void {
    const { delayMs, history } = this.#options
    const room = this.#roomOf(matchId)
    const place = this.#places.get(matchId) ?? newPlace()
    this.#places.set(matchId, place)
    const last = history.version(matchId, epoch, to)
    const [record] = last?.records ?? []
    if (room === undefined || last === undefined || record === undefined || from > to) {
      this.#wrong(`missing is ${matchId} ${epoch}:${from}-${to}, which is impossible`)
      return
    }
    if (sentAt - record.at < delayMs) this.#wrong(`missing reports ${nameOf(last)} after ${sentAt - record.at} ms`)
    const known = place.missingTo ?? place.version
    const next = known === undefined || known.epoch !== epoch ? 1 : known.seq + 1
    // A gateway that no longer knows the client's position announces the gap from the first frame.
    const mayBeEarlier = room.conflated || place.wasAhead || from === 1
    if (mayBeEarlier ? from > next && known !== undefined : from !== next && (known !== undefined || room.caughtUp)) {
      this.#wrong(
        `missing starts at ${matchId} ${epoch}:${from}, but the client has ${known === undefined ? "nothing" : `${known.epoch}:${known.seq}`}`,
      )
    }
    place.missingTo = { epoch, seq: to }
    if (room.matchId === undefined) room.caughtUp = false
  }

  /** Frames of `all` arrive in the order of the log, so the last one received is where to resume. */
  #moveAll(version: Version): void {
    const position = (one: Version) => one.records[0]?.position ?? 0
    if (this.allCursor === undefined ? this.rooms.get(ALL)?.caughtUp : position(version) > position(this.allCursor))
      this.allCursor = version
  }

  #checkDelay(position: number, sentAt: number, messageName: string): void {
    const { delayMs, history } = this.#options
    const at = history.timeOf(position)
    if (at !== undefined && sentAt - at < delayMs) this.#wrong(`${messageName} reports position ${position} after ${sentAt - at} ms`)
  }

  #forget(matchId: MatchId | undefined): void {
    if (matchId === undefined) {
      this.allCursor = undefined
      for (const [known, place] of this.#places) {
        if (this.rooms.get(matchRoom(known))?.caughtUp === true) place.mayRestart = true
        else this.#places.delete(known)
      }
    } else if (!this.rooms.has(ALL)) this.#places.delete(matchId)
  }

  /** While a client follows `all`, its single matches belong to that room. */
  #roomOf(matchId: MatchId): RoomState | undefined {
    return this.rooms.get(ALL) ?? this.rooms.get(matchRoom(matchId))
  }

  #wrong(problem: string): void {
    this.#options.findings.add(this.#options.name, problem)
  }
}

const FORGOTTEN_AFTER_MS = 600_000

/**
 * Upper bound of a heartbeat's lateness. A slow answer of the log adds its own duration. The gateway asks again every
 * ten seconds.
 */
const LOG_ANSWERS_WITHIN_MS = 3_100

const newPlace = (): MatchProgress => ({ version: undefined, missingTo: undefined, mayRestart: false, wasAhead: false })

/** Fifteen seconds, plus the turn of the loop that the server needs. */
const HEARTBEAT_WITHIN_MS = 15_600

const isAfter = (a: { readonly epoch: number; readonly seq: number }, b: { readonly epoch: number; readonly seq: number }): boolean =>
  a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)

const lastUpTo = (versions: ReadonlyArray<Version>, position: number): Version | undefined =>
  versions.findLast((version) => (version.records[0]?.position ?? Number.POSITIVE_INFINITY) <= position)
