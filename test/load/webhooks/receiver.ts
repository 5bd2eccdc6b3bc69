// Owns the receivers of the webhooks benchmark: one HTTP server per endpoint, all in this process. Each answers 204 at
// once and measures the delay from `createdAt` in the data, if it is there, to the arrival. The argument is the number of endpoints.
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { ReceiverQuestion, ReceiverReport } from "./messages.ts"

let delaysMs: Array<number> = []
let count = 0
let dead = new Set<number>()

const listen = (index: number) =>
  new Promise<Server>((resolve) => {
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8")
      request.on("data", (chunk: string) => {
        body += chunk
      })
      request.on("end", () => {
        if (dead.has(index)) return
        count += 1
        const createdAt = /"createdAt":(\d+)/.exec(body)?.[1]
        if (createdAt !== undefined) delaysMs.push(Date.now() - Number(createdAt))
        response.writeHead(204).end()
      })
    })
    server.keepAliveTimeout = 60_000
    server.listen(0, "127.0.0.1", () => resolve(server))
  })

const servers = await Promise.all(Array.from({ length: Number(process.argv[2]) }, (_, index) => listen(index)))
const portOf = (server: Server): number => (server.address() as AddressInfo).port

const answer = (question: ReceiverQuestion): unknown => {
  switch (question._tag) {
    case "Ports":
      return servers.map(portOf)
    case "Reset":
      delaysMs = []
      count = 0
      dead = new Set(question.dead)
      return true
    case "Count":
      return count
    case "Report": {
      const { system, user } = process.cpuUsage()
      const report: ReceiverReport = { count, delaysMs, cpuUs: system + user }
      return report
    }
  }
}

process.on("message", (question: ReceiverQuestion) => process.send?.(answer(question)))
process.on("disconnect", () => process.exit(0))
