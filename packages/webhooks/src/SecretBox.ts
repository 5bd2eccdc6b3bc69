/**
 * Encrypts the secrets of webhooks before they are stored (AES-256-GCM). A secret cannot be decrypted for another
 * subscription. Keys can be rotated: the first key encrypts, all keys decrypt.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { Context, Redacted } from "effect"

const FORMAT = 1
const ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + ID_BYTES + NONCE_BYTES

interface Key {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
}

const sha256 = (...parts: ReadonlyArray<string | Uint8Array>): Uint8Array => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const keyOf = (text: Redacted.Redacted<string>): Key => {
  const bytes = sha256("matchpoint webhook secrets", Redacted.value(text))
  return { bytes, id: sha256("id", bytes).subarray(0, ID_BYTES) }
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => one.every((byte, index) => byte === other[index])

export class SecretBox {
  readonly #current: Key
  readonly #keys: ReadonlyArray<Key>

  /** Texts of any length with at least 128 bits of entropy. */
  constructor(keys: readonly [Redacted.Redacted<string>, ...ReadonlyArray<Redacted.Redacted<string>>]) {
    this.#current = keyOf(keys[0])
    this.#keys = keys.map(keyOf)
  }

  /** Contains a random nonce, so it differs each time. */
  seal(subscriptionId: string, secret: Redacted.Redacted<string>): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv("aes-256-gcm", this.#current.bytes, nonce).setAAD(Buffer.from(subscriptionId))
    const encrypted = Buffer.concat([cipher.update(Redacted.value(secret), "utf8"), cipher.final()])
    return Buffer.concat([Buffer.of(FORMAT), this.#current.id, nonce, encrypted, cipher.getAuthTag()])
  }

  /** Undefined if none of the keys encrypted the secret, or if it was changed or encrypted for another subscription. */
  open(subscriptionId: string, sealed: Uint8Array): Redacted.Redacted<string> | undefined {
    const key = this.#keyFor(sealed)
    if (key === undefined || sealed.length < HEAD_BYTES + TAG_BYTES) return undefined
    try {
      const decipher = createDecipheriv("aes-256-gcm", key.bytes, sealed.subarray(1 + ID_BYTES, HEAD_BYTES))
        .setAAD(Buffer.from(subscriptionId))
        .setAuthTag(sealed.subarray(-TAG_BYTES))
      const text = Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8")
      return Redacted.make(text, { label: "webhook secret" })
    } catch {
      return undefined
    }
  }

  /** True if the current key encrypted the secret, so it need not be encrypted again. */
  isCurrent(sealed: Uint8Array): boolean {
    return this.#keyFor(sealed) === this.#keys[0]
  }

  #keyFor(sealed: Uint8Array): Key | undefined {
    if (sealed[0] !== FORMAT) return undefined
    const id = sealed.subarray(1, 1 + ID_BYTES)
    return this.#keys.find((key) => sameBytes(key.id, id))
  }
}

/** Null if no key is configured: then webhooks are not available. */
export class WebhookSecrets extends Context.Reference<SecretBox | null>("@matchpoint/webhooks/SecretBox/WebhookSecrets", {
  defaultValue: () => null,
}) {}
