/** Recognises a repeated registration with other content. */
import { createHash } from "node:crypto"

/** SHA-256. The order of the keys of objects does not matter. */
export const contentHash = (content: unknown): Uint8Array => createHash("sha256").update(JSON.stringify(content, sorted)).digest()

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
