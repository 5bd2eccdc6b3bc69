/**
 * Signatures of webhook deliveries, in two schemes over the same secret:
 *
 * - `X-Svc-Signature`: HMAC-SHA256 over the body, in hex. The key is the text of the secret. It does not cover the time.
 * - Standard Webhooks (`webhook-signature`): HMAC-SHA256 over id, time and body. The key is the decoded secret.
 */
import { createHmac, randomBytes } from "node:crypto"

/** Length of the key in a secret. */
const SECRET_BYTES = 32

export interface UnsignedDelivery {
  /** Id of the event, the same for every attempt. Printable ASCII. */
  readonly id: string
  /** Time of the attempt. */
  readonly timestampSeconds: number
  /** Exactly as it is sent. A string is sent as UTF-8. */
  readonly body: string | Uint8Array
  /** During the grace period after a rotation, the previous secret follows. */
  readonly secrets: readonly [current: string, ...previous: ReadonlyArray<string>]
}

/** Base64 of 32 random bytes, 44 characters. Pass `bytes` for a predictable secret. */
export const newSecret = (bytes: Uint8Array = randomBytes(SECRET_BYTES)): string => {
  if (bytes.length !== SECRET_BYTES) throw new RangeError(`A secret needs ${SECRET_BYTES} random bytes, not ${bytes.length}.`)
  return Buffer.from(bytes).toString("base64")
}

/**
 * Headers of both schemes. `X-Svc-Signature-Previous` and the second entry of `webhook-signature` exist only if there
 * is a previous secret. Costs two HMACs per secret: about 10 us for a body of 1 KB.
 */
export const signatureHeaders = ({ body, id, secrets, timestampSeconds }: UnsignedDelivery): Readonly<Record<string, string>> => {
  const [current, previous] = secrets
  return {
    "X-Svc-Signature": bodySignature(current, body),
    ...(previous === undefined ? {} : { "X-Svc-Signature-Previous": bodySignature(previous, body) }),
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": secrets.map((secret) => standardSignature(secret, `${id}.${timestampSeconds}.`, body)).join(" "),
  }
}

const bodySignature = (secret: string, body: string | Uint8Array): string => createHmac("sha256", secret).update(body).digest("hex")

const standardSignature = (secret: string, prefix: string, body: string | Uint8Array): string =>
  `v1,${createHmac("sha256", Buffer.from(secret, "base64")).update(prefix).update(body).digest("base64")}`
