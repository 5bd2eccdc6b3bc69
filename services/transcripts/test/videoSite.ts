/** A web site on loopback for tests of downloads. */
import { createReadStream } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Effect } from "effect"

export type Route = (request: IncomingMessage, response: ServerResponse) => void

const types: Readonly<Record<string, string>> = {
  mp4: "video/mp4",
  m3u8: "application/vnd.apple.mpegurl",
  ts: "video/mp2t",
}

/** Serves a file. */
export const file =
  (directory: string, name: string, type = types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream"): Route =>
  (_, response) => {
    response.setHeader("content-type", type)
    createReadStream(join(directory, name))
      .on("error", () => response.writeHead(404).end())
      .pipe(response)
  }

export const redirect =
  (location: string): Route =>
  (_, response) =>
    void response.writeHead(302, { location }).end()

export const text =
  (type: string, body: string): Route =>
  (_, response) =>
    void response.setHeader("content-type", type).end(body)

export interface VideoSite {
  /** `http://127.0.0.1:port`. */
  readonly origin: string
  /** Paths of the requests so far. */
  readonly requests: ReadonlyArray<string>
}

/** Starts the site, which ends with the scope. Paths without a route are files of `directory`. */
export const videoSite = Effect.fnUntraced(function* (directory: string, routes: Readonly<Record<string, Route>> = {}) {
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    const path = request.url ?? "/"
    requests.push(path)
    const route = routes[path] ?? file(directory, path.slice(1))
    route(request, response)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, requests } satisfies VideoSite
})
