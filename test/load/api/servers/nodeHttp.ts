// Owns the peer built with Node alone: the minimum cost of the statements and of JSON.
import { once } from "node:events"
import { createServer } from "node:http"
import { answer, peer } from "./pool.ts"

const server = createServer(async (request, response) => {
  const body = JSON.stringify(await answer(request.url ?? ""))
  if (body === undefined) response.writeHead(404, { "content-length": 0 }).end()
  else response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body)
})

peer(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
})
