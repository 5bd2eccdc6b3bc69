/** Finds free TCP ports on loopback. A test chooses the port of a process before it starts, so that a restart uses the same one. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { Effect } from "effect"

/** Ports below this one need privileges, or belong to well-known servers of the machine. */
const LOWEST = 10_000

/** Ports of a container without /proc. The system gives higher ones to connections. */
const USUAL_HIGHEST = 32_767

/**
 * Highest port that the system does not give to outgoing connections. A process often opens its port seconds after it was
 * found free, and connections made in between, above all by ten other processes that start, would take it.
 */
const highest = (): number => {
  try {
    const [first = ""] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s+/)
    return Number(first) > LOWEST + 1_000 ? Number(first) - 1 : USUAL_HIGHEST
  } catch {
    return USUAL_HIGHEST
  }
}

/** Ports that this process has returned. */
const given = new Set<number>()

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  try {
    await once(server.listen(port, "127.0.0.1"), "listening")
  } catch {
    return false
  }
  await once(server.close(), "close")
  return true
}

/** Returns a free port. No port is returned twice. */
export const findFreePort = async (): Promise<number> => {
  const count = highest() - LOWEST + 1
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * count)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
  throw new Error("no free port was found on 127.0.0.1")
}

export const freePort: Effect.Effect<number> = Effect.promise(findFreePort)

/** Returns `count` different free ports. */
export const freePorts = (count: number): Effect.Effect<ReadonlyArray<number>> => Effect.replicateEffect(freePort, count)
