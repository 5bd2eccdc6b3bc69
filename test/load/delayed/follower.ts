// Owns the client of the measurement: it follows every match, counts the deltas that arrive in order, and checks the
// age of each frame.

export interface Follower {
  /** Deltas received. */
  readonly frames: number
  /** Deltas whose seq directly follows the previous one. */
  readonly inOrder: number
  readonly gaps: number
  /** Minimum age of a frame at its arrival, ms. */
  readonly youngestMs: number
  /** Returns the newest seq of a match, 0 if there is none. */
  readonly seqOf: (matchId: string) => number
  readonly close: () => void
}

/** Connects and resolves once the snapshots have arrived. */
export const followAll = async (url: string): Promise<Follower> => {
  const seqs = new Map<string, number>()
  const counts = { frames: 0, inOrder: 0, gaps: 0, youngestMs: Number.POSITIVE_INFINITY }
  const socket = new WebSocket(url)
  const isOpen = Promise.withResolvers<void>()
  const caughtUp = Promise.withResolvers<void>()
  socket.onopen = () => isOpen.resolve()
  socket.onerror = () => isOpen.reject(new Error("the gateway rejects the client"))
  socket.onmessage = ({ data }) => {
    const text = String(data)
    const type = /^\{"type":"([^"]+)"/.exec(text)?.[1]
    if (type === "caught_up") caughtUp.resolve()
    if (type === "gap") counts.gaps += 1
    if (type !== "cs2.live.delta" && type !== "cs2.live.snapshot") return
    const [, publishedAt = "", matchId = "", seqText] =
      /"publishedAt":"([^"]+)".*?"matchId":"([^"]+)","epoch":[0-9]+,"seq":([0-9]+)/.exec(text) ?? []
    const seq = Number(seqText)
    if (type === "cs2.live.delta") {
      counts.frames += 1
      if (seq === (seqs.get(matchId) ?? 0) + 1) counts.inOrder += 1
      counts.youngestMs = Math.min(counts.youngestMs, Date.now() - Date.parse(publishedAt))
    }
    seqs.set(matchId, seq)
  }
  await isOpen.promise
  socket.send(JSON.stringify({ action: "subscribe", rooms: ["all"] }))
  await caughtUp.promise
  return {
    get frames() {
      return counts.frames
    },
    get inOrder() {
      return counts.inOrder
    },
    get gaps() {
      return counts.gaps
    },
    get youngestMs() {
      return counts.youngestMs
    },
    seqOf: (matchId) => seqs.get(matchId) ?? 0,
    close: () => socket.close(),
  }
}
