/**
 * Prints webhook deliveries, for developers. It verifies them with the client that customers use. It stores nothing,
 * and accepts the same event more than once, so that retries and redeliveries are visible.
 */
import { createServer, type IncomingMessage, type Server } from "node:http"
import { verifyWebhook, WebhookVerificationError } from "@matchpoint/client"
import { deliveryLine, type Outcome } from "./deliveryLine.ts"

export interface ReceiverOptions {
  /** If undefined, no delivery is verified. */
  readonly secret: string | undefined
  /** Status for a delivery that is verified, or that cannot be verified without a secret. */
  readonly status: number
  /** Called with one line per delivery. */
  readonly print: (line: string) => void
}

/** Largest body that is read. */
const MAX_BODY_BYTES = 1_000_000

/** The returned server is not listening yet. */
export const receiverServer = ({ print, secret, status }: ReceiverOptions): Server => {
  const answer = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== "POST") return 405
    const body = await bodyOf(request)
    const outcome: Outcome = body === undefined ? { _tag: "TooLarge" } : await verify(request, body, secret)
    print(deliveryLine(new Date(), request.headers, outcome))
    if (outcome._tag === "TooLarge") return 413
    return outcome._tag === "Rejected" ? 400 : status
  }
  return createServer((request, response) => {
    answer(request).then(
      (code) => {
        // The rest of a body that was not read makes the connection unusable.
        if (!request.complete) response.setHeader("connection", "close")
        response.writeHead(code).end()
      },
      (error: unknown) => {
        print(`A delivery could not be read: ${error instanceof Error ? error.message : String(error)}`)
        response.destroy()
      },
    )
  })
}

/** Undefined if the body exceeds the limit. Rejects if the sender closes the connection before its end. */
const bodyOf = (request: IncomingMessage): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let bytes = 0
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BODY_BYTES) {
        chunks.push(chunk)
        return
      }
      request.removeAllListeners("data").pause()
      resolve(undefined)
    })
    request.on("end", () => resolve(Buffer.concat(chunks)))
    request.on("error", reject)
  })

const verify = async (request: IncomingMessage, body: Buffer, secret: string | undefined): Promise<Outcome> => {
  if (secret === undefined) return { _tag: "NotVerified" }
  try {
    await verifyWebhook({ body, headers: request.headers, secrets: secret })
    return { _tag: "Verified" }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { _tag: "Rejected", error }
  }
}
