/** Keys of Standard Webhooks signatures: HMAC-SHA256 with WebCrypto. */
import { WebhookVerificationError } from "./WebhookVerificationError.ts"

export interface SignatureKey {
  /** `signature` is base64. The comparison takes constant time. */
  readonly matches: (signature: string, signed: Uint8Array<ArrayBuffer>) => Promise<boolean>
}

/** Bytes in a secret by Standard Webhooks. Secrets of Matchpoint have 32. */
const MIN_BYTES = 24
const MAX_BYTES = 64

/** Rejects with a `WebhookVerificationError` with the reason `invalid_secret`. */
export const signatureKey = async (secret: string): Promise<SignatureKey> => {
  const bytes = fromBase64(secret)
  if (bytes === undefined || bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
    throw new WebhookVerificationError(
      "invalid_secret",
      "A secret is not valid. Pass the 44 characters that the server returned when the webhook was created or its secret was rotated.",
    )
  }
  const subtle = await webCrypto()
  const key = await subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
  return {
    matches: async (signature, signed) => {
      const expected = fromBase64(signature)
      return expected !== undefined && subtle.verify("HMAC", key, expected, signed)
    },
  }
}

/** Undefined if the text is not base64. */
const fromBase64 = (text: unknown): Uint8Array<ArrayBuffer> | undefined => {
  if (typeof text !== "string") return undefined
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** In Node 18, WebCrypto is not a global. Bundlers must not resolve the import, as browsers lack the module. */
const webCrypto = async (): Promise<typeof crypto.subtle> => {
  if (globalThis.crypto?.subtle !== undefined) return globalThis.crypto.subtle
  const module = ["node", "crypto"].join(":")
  const node: { readonly webcrypto: typeof crypto } = await import(/* @vite-ignore */ /* webpackIgnore: true */ module)
  return node.webcrypto.subtle
}
