/**
 * What one API key has open at this gateway, and clients that wait for a place. Builds the key's claims and applies
 * their results. No IO: `StreamLimits` decides when to claim.
 */
import type { ApiKeyId } from "@matchpoint/domain/accounts"
import type { StreamClaim, StreamCounts, StreamGrant, StreamLimit } from "@matchpoint/domain/metering/streamCounts"

/** A limit of the plan. */
export type LimitName = keyof StreamLimit

export interface Wanted {
  /** True if the place counts towards the limit of live connections. */
  readonly connection: boolean
  /** True if connecting is billed. */
  readonly stream: boolean
  /** True if the place counts towards the limit of replays. */
  readonly replay: boolean
}

/** One callback is called once, or none if the client stops waiting first. */
export interface PlaceWaiter {
  readonly wanted: Wanted
  readonly granted: (place: Place) => void
  readonly refused: (limit: LimitName) => void
}

export interface PlacesHost {
  /** True if this gateway is shutting down. What ends from then on remains counted, for the credits of its key. */
  readonly isFrozen: () => boolean
  /** Called after a release. */
  readonly changed: (key: KeyPlaces) => void
  /** A stream is opened whose connect will be charged. */
  readonly charged: (place: Place) => void
}

/** One open connection, stream or replay, counted until it is released. */
export class Place {
  readonly key: KeyPlaces
  readonly wanted: Wanted
  /** True if the stream continues one that a gateway has ended. */
  isFree: boolean
  isReleased = false
  /** Called if it turns out later that connecting was free. At most once, and not after the release. */
  onCredit: { readonly credit: () => void } | undefined

  constructor(key: KeyPlaces, wanted: Wanted, isFree: boolean) {
    this.key = key
    this.wanted = wanted
    this.isFree = isFree
  }

  /** Idempotent. */
  release(): void {
    if (this.isReleased) return
    this.isReleased = true
    this.key.release(this.wanted)
  }
}

const none: StreamCounts = { connections: 0, streams: 0, replays: 0 }

const areEqual = (one: StreamCounts, other: StreamCounts): boolean =>
  one.connections === other.connections && one.streams === other.streams && one.replays === other.replays

export class KeyPlaces {
  readonly keyId: ApiKeyId
  readonly #host: PlacesHost
  limit: StreamLimit
  #held: StreamCounts = none
  /** The key's counts in the shared counts. Undefined if unknown. */
  #reported: StreamCounts | undefined = none
  readonly #waiting = new Set<PlaceWaiter>()
  /** Places whose connect was charged and may turn out to be free. */
  readonly #creditable = new Set<Place>()
  #sent: ReadonlyArray<PlaceWaiter> = []

  constructor(keyId: ApiKeyId, limit: StreamLimit, host: PlacesHost) {
    this.keyId = keyId
    this.limit = limit
    this.#host = host
  }

  /** True if nothing is open or waiting here. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0 && areEqual(this.#held, none)
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** True if the shared counts differ from what is open, or a connect may be free. */
  get needsReport(): boolean {
    return this.#reported === undefined || this.#creditable.size > 0 || !areEqual(this.#reported, this.#held)
  }

  /** The limit that this gateway's own counts have reached. */
  reached(wanted: Wanted): LimitName | undefined {
    if (wanted.connection && this.#held.connections >= this.limit.connections) return "connections"
    if (wanted.replay && this.#held.replays >= this.limit.replays) return "replays"
    return undefined
  }

  hold(wanted: Wanted, isFree: boolean): Place {
    this.#add(wanted, 1)
    const place = new Place(this, wanted, isFree)
    if (wanted.stream && !isFree) this.#host.charged(place)
    return place
  }

  release(wanted: Wanted): void {
    if (this.#host.isFrozen()) return
    this.#add(wanted, -1)
    this.#host.changed(this)
  }

  wait(waiter: PlaceWaiter): void {
    this.#waiting.add(waiter)
  }

  /** None of its callbacks will be called. */
  leave(waiter: PlaceWaiter): void {
    this.#waiting.delete(waiter)
  }

  /** Asks for a credit with the next claim. */
  wantsCredit(place: Place): void {
    this.#creditable.add(place)
  }

  /** The result of the claim must be passed to `settled` or `failed` before the next one is built. */
  claim(): StreamClaim {
    this.#sent = [...this.#waiting]
    const wanted = {
      connections: this.#sent.filter((one) => one.wanted.connection).length,
      streams: this.#sent.filter((one) => one.wanted.stream).length,
      replays: this.#sent.filter((one) => one.wanted.replay).length,
    }
    return { keyId: this.keyId, held: this.#held, wanted, limit: this.limit, redeem: wanted.streams + this.#creditable.size }
  }

  settled(claim: StreamClaim, grant: StreamGrant): void {
    const { held, wanted } = claim
    this.#reported = {
      connections: held.connections + grant.connections,
      streams: held.streams + wanted.streams,
      replays: held.replays + grant.replays,
    }
    let { connections, free, replays } = grant
    for (const waiter of this.#sent) {
      if (!this.#waiting.delete(waiter)) continue
      const { connection, replay, stream } = waiter.wanted
      if (connection && connections === 0) waiter.refused("connections")
      else if (replay && replays === 0) waiter.refused("replays")
      else {
        if (connection) connections -= 1
        if (replay) replays -= 1
        const isFree = stream && free > 0
        if (isFree) free -= 1
        waiter.granted(this.hold(waiter.wanted, isFree))
      }
    }
    for (const place of this.#creditable) {
      if (free === 0) break
      if (place.isReleased) continue
      free -= 1
      place.isFree = true
      place.onCredit?.credit()
    }
    this.#creditable.clear()
    this.#sent = []
  }

  /** Every waiting client is decided by this gateway's own counts. */
  failed(): void {
    this.#sent = []
    this.#reported = undefined
    for (const waiter of this.#waiting) {
      this.#waiting.delete(waiter)
      const limit = this.reached(waiter.wanted)
      if (limit === undefined) waiter.granted(this.hold(waiter.wanted, false))
      else waiter.refused(limit)
    }
  }

  #add({ connection, replay, stream }: Wanted, change: 1 | -1): void {
    const { connections, replays, streams } = this.#held
    this.#held = {
      connections: connections + (connection ? change : 0),
      streams: streams + (stream ? change : 0),
      replays: replays + (replay ? change : 0),
    }
  }
}
