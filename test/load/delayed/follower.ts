// Owns the client of the measurement: follows every match, counts what comes in order, and looks how old each frame is.

export interface Follower {
  /** Deltas received. */
  readonly frames: number
  /** Of them, those that came right after the one before. */
  readonly inOrder: number
  readonly gaps: number
  /** Least age of a frame when it came, ms. */
  readonly youngestMs: number
  /** The newest seq of a match; 0: none. */
  readonly seqOf: (matchId: string) => number
  readonly close: () => void
}

/** Ready when the snapshots are there. */
export const followAll = async (url: string): Promise<Follower> => {
  const seqs = new Map<string, number>()
  const counts = { frames: 0, inOrder: 0, gaps: 0, youngestMs: Number.POSITIVE_INFINITY }
  const socket = new WebSocket(url)
  const isOpen = Promise.withResolvers<void>()
  const isThere = Promise.withResolvers<void>()
  socket.onopen = () => isOpen.resolve()
  socket.onerror = () => isOpen.reject(new Error("the gateway does not let the client in"))
  socket.onmessage = ({ data }) => {
    const text = String(data)
    const type = /^\{"type":"([^"]+)"/.exec(text)?.[1]
    if (type === "caught_up") isThere.resolve()
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
  await isThere.promise
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
