/**
 * Parses an event stream according to the HTML Living Standard, section 9.2.6. Ignores fields other than `data` and
 * `id`.
 */

export interface ParsedEvent {
  readonly data: string
  /** Id of this event itself, not of an earlier one. */
  readonly id: string | undefined
}

/** The result takes the next chunk of text and returns the events that the chunk completes. */
export const eventStreamParser = (): ((text: string) => ReadonlyArray<ParsedEvent>) => {
  let rest = ""
  let data: Array<string> = []
  let id: string | undefined
  let isFirst = true
  return (text) => {
    const events: Array<ParsedEvent> = []
    rest += isFirst ? text.replace(/^\uFEFF/, "") : text
    if (text !== "") isFirst = false
    // A carriage return at the end of a chunk may be the first half of a CRLF line break.
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
