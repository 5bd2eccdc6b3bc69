/** Parses an event stream (HTML Living Standard, 9.2.6): feeds of text become events. Fields other than `data` and `id` are ignored. */

export interface ParsedEvent {
  readonly data: string
  /** The id of this very event, not the last one of the stream. */
  readonly id: string | undefined
}

/** The returned function takes the next piece of text and returns the events that it completes. */
export const eventStreamParser = (): ((text: string) => ReadonlyArray<ParsedEvent>) => {
  let rest = ""
  let data: Array<string> = []
  let id: string | undefined
  let isFirst = true
  return (text) => {
    const events: Array<ParsedEvent> = []
    rest += isFirst ? text.replace(/^\uFEFF/, "") : text
    if (text !== "") isFirst = false
    // A carriage return at the end may be half of a line break.
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
