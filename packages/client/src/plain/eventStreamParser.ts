/**
 * Parses an event stream according to the HTML Living Standard, section 9.2.6. Ignores fields other than `data` and
 * `id`.
 */

export interface ParsedEvent {
  readonly data: string
  /** Id of this event itself, not of an earlier one. */
  readonly id: string | undefined
}

/** Most characters of an event. The largest events of the service have some 100,000. */
export const MAX_EVENT_LENGTH = 10 * 2 ** 20

/**
 * The result takes the next chunk of text and returns the events that the chunk completes. Throws if an event is longer than
 * `MAX_EVENT_LENGTH`.
 */
export const eventStreamParser = (): ((text: string) => ReadonlyArray<ParsedEvent>) => {
  /** Parts of an incomplete line, joined only when it ends, so that a long line costs no more per character. */
  let pieces: Array<string> = []
  let data: Array<string> = []
  let id: string | undefined
  /** Characters in `pieces`, and in `data` with a line break per line. */
  let piecesLength = 0
  let dataLength = 0
  let isFirst = true
  /** A carriage return at the end of a chunk may be the first half of a CRLF line break. */
  let endsWithReturn = false
  return (text) => {
    const events: Array<ParsedEvent> = []
    pieces.push(isFirst ? text.replace(/^\uFEFF/, "") : text)
    if (text !== "") isFirst = false
    piecesLength += text.length
    if (piecesLength + dataLength > MAX_EVENT_LENGTH) throw new Error(`an event of the stream has more than ${MAX_EVENT_LENGTH} characters`)
    if (!endsWithReturn && !/[\r\n]/.test(text)) return events
    const lines = pieces.join("").split(/\r\n|\n|\r(?!$)/)
    const rest = lines.pop() ?? ""
    pieces = [rest]
    piecesLength = rest.length
    endsWithReturn = rest.endsWith("\r")
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) events.push({ data: data.join("\n"), id })
        data = []
        dataLength = 0
        id = undefined
        continue
      }
      const colon = line.indexOf(":")
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
      if (field === "data") {
        data.push(value)
        dataLength += value.length + 1
      } else if (field === "id") id = value
    }
    return events
  }
}
