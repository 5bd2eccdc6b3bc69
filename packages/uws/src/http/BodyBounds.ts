// Bounds the memory of request bodies until their requests are answered: of all clients together, of one address, and
// of one key. Without them, clients that never finish their bodies would occupy any amount of memory.
import type { Headers } from "effect/http"

/** `pieces`: the body arrived in too many pieces for its size. */
export type BodyBound = "pieces" | "process" | "address" | "key"

export interface BodyLimits {
  /** Bytes of all clients together. */
  readonly maxBytes: number
  readonly maxBytesPerAddress: number
  /** Bytes of one key, once the application has named it with `countBodyFor`. */
  readonly maxBytesPerKey: number
  /** The client to which the bytes of an address count. */
  readonly clientOf: (headers: Headers.Headers, remoteAddress: string | undefined) => string
}

const MB = 1024 * 1024

export const defaultBodyLimits: BodyLimits = {
  maxBytes: 64 * MB,
  maxBytesPerAddress: 16 * MB,
  maxBytesPerKey: 8 * MB,
  clientOf: (_headers, remoteAddress) => remoteAddress ?? "unknown",
}

export class BodyBounds {
  readonly limits: BodyLimits
  #total = 0
  readonly #byAddress = new Map<string, number>()
  readonly #byKey = new Map<string, number>()

  constructor(limits: Partial<BodyLimits> = {}) {
    this.limits = { ...defaultBodyLimits, ...limits }
  }

  get total(): number {
    return this.#total
  }

  /** Counts further bytes, unless that would exceed the bound that is returned. */
  add(bytes: number, address: string, key: string | undefined): BodyBound | undefined {
    const { maxBytes, maxBytesPerAddress, maxBytesPerKey } = this.limits
    const ofAddress = (this.#byAddress.get(address) ?? 0) + bytes
    const ofKey = key === undefined ? 0 : (this.#byKey.get(key) ?? 0) + bytes
    if (ofAddress > maxBytesPerAddress) return "address"
    if (ofKey > maxBytesPerKey) return "key"
    if (this.#total + bytes > maxBytes) return "process"
    this.#total += bytes
    this.#byAddress.set(address, ofAddress)
    if (key !== undefined) this.#byKey.set(key, ofKey)
    return undefined
  }

  remove(bytes: number, address: string, key: string | undefined): void {
    this.#total -= bytes
    reduce(this.#byAddress, address, bytes)
    if (key !== undefined) reduce(this.#byKey, key, bytes)
  }
}

const reduce = (counts: Map<string, number>, owner: string, bytes: number): void => {
  const rest = (counts.get(owner) ?? 0) - bytes
  if (rest > 0) counts.set(owner, rest)
  else counts.delete(owner)
}

export class BodyAccount {
  readonly #bounds: BodyBounds
  readonly #addressOf: () => string
  #address: string | undefined
  #key: string | undefined
  #bytes = 0

  /** `addressOf` is called once, when the first bytes are counted. */
  constructor(bounds: BodyBounds, addressOf: () => string) {
    this.#bounds = bounds
    this.#addressOf = addressOf
  }

  /** Returns the bound that does not allow this number of bytes. */
  set(bytes: number): BodyBound | undefined {
    if (bytes === this.#bytes) return undefined
    this.#address ??= this.#addressOf()
    if (bytes < this.#bytes) this.#bounds.remove(this.#bytes - bytes, this.#address, this.#key)
    else {
      const reached = this.#bounds.add(bytes - this.#bytes, this.#address, this.#key)
      if (reached !== undefined) return reached
    }
    this.#bytes = bytes
    return undefined
  }

  /** Counts the body for a key, too. Returns the bound if the key has used it up. */
  countFor(key: string): BodyBound | undefined {
    if (this.#key !== undefined) return undefined
    const bytes = this.#bytes
    this.set(0)
    this.#key = key
    return this.set(bytes)
  }
}
