/**
 * `npm run webhook-receiver -- --port 8787 --secret <secret> [--status 200]` prints each webhook delivery that arrives
 * and whether it verifies. Runs until Ctrl-C. Exit code 1: a flag is wrong or the port is not available.
 */
import type { AddressInfo } from "node:net"
import { environmentSecret } from "../ReceiverConfig.ts"
import { type ReceiverFlags, readFlags, usage, WrongFlag } from "./flags.ts"
import { receiverServer } from "./receiverServer.ts"

const HOST = "127.0.0.1"

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const fail = (message: string): void => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

const listen = ({ port, secret, status }: ReceiverFlags): void => {
  const server = receiverServer({ secret, status, print })
  server.on("error", (error) => fail(`Cannot listen on ${HOST}:${port}: ${error.message}`))
  server.listen(port, HOST, () => {
    const address: AddressInfo | string | null = server.address()
    const listening = typeof address === "object" && address !== null ? address.port : port
    print(`Waiting for deliveries at http://${HOST}:${listening}. Each is answered with ${status}. Ctrl-C ends the receiver.`)
    if (secret === undefined) print("Deliveries are not verified. To verify them, pass --secret or set MATCHPOINT_WEBHOOK_SECRET.")
  })
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop)
}

try {
  const flags = readFlags(process.argv.slice(2), environmentSecret)
  if (flags.help) process.stdout.write(usage)
  else listen(flags)
} catch (error) {
  if (!(error instanceof WrongFlag)) throw error
  fail(`${error.message}\n\n${usage}`)
}
