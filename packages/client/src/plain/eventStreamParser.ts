/**
 * Parses an event stream according to the HTML Living Standard, section 9.2.6: chunks of text become events. Fields
 * other than `data` and `id` are ignored.
 */

export interface ParsedEvent {
  readonly data: string
  /** Id that this event itself contains. Undefined if it contains none, even if an earlier event of the stream did. */
  readonly id: string | undefined
}

/** Returns a stateful function that takes the next chunk of text and returns the events that the chunk completes. */
export const eventStreamParser = (): ((text: string) => ReadonlyArray<ParsedEvent>) => {
  let rest = ""
  let data: Array<string> = []
  let id: string | undefined
  let isFirst = true
  return (text) => {
    const events: Array<ParsedEvent> = []
    rest += isFirst ? text.replace(/^\uFEFF/, "") : text
    if (text !== "") isFirst = false
    // A carriage return at the end of a chunk may be the first half of a CRLF line break, so it is not treated as a
    // line break yet.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) events.push({ data: data.join("\n"), id })
        data = []
        id = undefined
        continue
      }
      const colon = line.indexOf(":")
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
      if (field === "data") data.push(value)
      else if (field === "id") id = value
    }
    return events
  }
}
