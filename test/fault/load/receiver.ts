/** The webhook receiver of a run: an HTTPS server with a certificate of its own, which records every delivery. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import type { Delivery } from "../check/deliveries.ts"
import type { Workspace } from "../system/Workspace.ts"

export interface Receiver {
  readonly url: string
  /** File with the certificate, for the processes that send to the receiver. */
  readonly certificate: string
  readonly deliveries: ReadonlyArray<Delivery>
}

export const startReceiver = Effect.fnUntraced(function* (workspace: Workspace) {
  const folder = workspace.folder("receiver")
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")]
  yield* Effect.sync(() =>
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
        ...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
      ],
      { stdio: "pipe", timeout: 10_000 },
    ),
  )
  const deliveries: Array<Delivery> = []
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body: { readonly id?: string; readonly data?: { readonly match_id?: string } } = JSON.parse(Buffer.concat(chunks).toString())
      deliveries.push({ id: body.id ?? "", matchId: body.data?.match_id ?? "" })
      response.writeHead(204).end()
    })
  })
  const port = yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(typeof address === "object" && address !== null ? Effect.succeed(address.port) : Effect.die(new Error("no port")))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  )
  return { url: `https://127.0.0.1:${port}/`, certificate, deliveries } satisfies Receiver
}) satisfies (workspace: Workspace) => Effect.Effect<Receiver, never, Scope.Scope>
