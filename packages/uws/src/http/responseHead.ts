// The status line of a response, and the rules for header names and values that may be sent. The rules are needed
// because uWebSockets.js writes values unchanged, so a CR or LF in a user's text could forge headers or a whole
// response.
import { STATUS_CODES } from "node:http"

const lines: Array<string | undefined> = []

/** Returns a status line such as `404 Not Found`. The caller must have checked the status and the text. */
export const statusLine = (status: number, text: string | undefined): string => {
  if (text !== undefined) return `${status} ${text}`
  lines[status] ??= `${status} ${STATUS_CODES[status] ?? "Unknown"}`
  return lines[status]
}

/**
 * Returns true for a final status (200 to 599). Interim statuses (1xx) are excluded, because the client would wait
 * forever for the final response.
 */
export const isFinalStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status <= 599

// According to RFC 9110, a header value consists of visible characters, space, tab and obs-text, and a header name is a
// token. node:http allows the same characters.
const invalidValue = /[^\t\x20-\x7e\x80-\xff]/
const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

export const isValidText = (text: string): boolean => !invalidValue.test(text)

/**
 * Headers that the native library or the response writer sets itself. If an application set them too, they would be
 * duplicated or contradict the message framing.
 */
const nativeHeaders = new Set(["connection", "content-length", "date", "transfer-encoding"])

interface KnownHeader {
  readonly isNative: boolean
  /**
   * The line break after the previous header, this header's name and `: `, as one text. Joined once, because it is used
   * in every response. Not used for the first header.
   */
  readonly lead: string
  /** The last value that was found to be plain ASCII. Cached because most values are sent repeatedly. */
  plain: string
}

/**
 * Cache of known headers by name, because the same few names occur in every response. Its size is bounded, because an
 * application may use arbitrary names.
 */
const knownHeaders = new Map<string, KnownHeader>()
const MAX_KNOWN_HEADERS = 500

/** Returns the header of this name, or undefined if the name must not be sent. */
const headerOf = (name: string): KnownHeader | undefined => {
  const known = knownHeaders.get(name)
  if (known !== undefined) return known
  if (!validName.test(name)) return undefined
  const header = { isNative: nativeHeaders.has(name), lead: `\r\n${name}: `, plain: "" }
  if (knownHeaders.size < MAX_KNOWN_HEADERS) knownHeaders.set(name, header)
  return header
}

const isValid = (name: string, value: string): boolean => headerOf(name) !== undefined && !invalidValue.test(value)

/**
 * Matches a character that is not plain ASCII. Checked first, because nearly all values are plain ASCII and can then be
 * sent as strings.
 */
const notPlain = /[^\t\x20-\x7e]/

/** Returns the name of the first header that must not be sent, or undefined if all may be sent. */
export const firstInvalidHeader = (headers: Readonly<Record<string, string>>): string | undefined => {
  for (const name in headers) if (!isValid(name, headers[name] ?? "")) return name
  return undefined
}

/**
 * Several headers, combined so that one native call writes them all. The call takes one name and one value: `name` is
 * the name of the first header, and `value` contains its value followed by the complete lines of all other headers.
 */
export interface HeaderBlock {
  readonly name: string
  /** Value in the encoding that the peer reads; see {@link headerText}. */
  readonly value: string | Uint8Array
}

export type HeaderRecord = Readonly<Record<string, string | undefined>>

/** Validated header lines, joined into one text. */
export interface HeaderLines {
  /** Name of the first header, which is not part of `text`; empty if there are no headers. */
  readonly first: string
  readonly text: string
  /** True if all characters of `text` are ASCII. */
  readonly isPlain: boolean
}

const noLines: HeaderLines = { first: "", text: "", isPlain: true }

/**
 * Validates headers and appends their lines to `before`. Returns a `TypeError` that contains the header name if a
 * header must not be sent.
 */
export const headerLines = (headers: HeaderRecord, withLength: boolean, before = noLines): HeaderLines | TypeError => {
  let { first, isPlain, text } = before
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    const header = headerOf(name)
    if (header === undefined) return invalid(name)
    if (value !== header.plain) {
      if (!notPlain.test(value)) header.plain = value
      else if (invalidValue.test(value)) return invalid(name)
      else isPlain = false
    }
    if (header.isNative && !(withLength && name === "content-length")) continue
    if (first === "") {
      first = name
      text = value
    } else text += header.lead + value
  }
  return { first, text, isPlain }
}

/**
 * Combines all headers into one native call. This works because the native library writes values unchanged, and it pays
 * off because native calls are the most expensive part of writing a response head. Undefined if there are no headers.
 */
export const headerBlock = ({ first, isPlain, text }: HeaderLines): HeaderBlock | undefined =>
  first === "" ? undefined : { name: first, value: isPlain ? text : headerText(text) }

/** Same as `headerBlock`, but also accepts a `TypeError`, which it returns unchanged. */
export const blockOf = (lines: HeaderLines | TypeError): HeaderBlock | TypeError | undefined =>
  lines instanceof TypeError ? lines : headerBlock(lines)

const invalid = (name: string) => new TypeError(`Invalid character in the header ${JSON.stringify(name)}`)

const nonAscii = /[\x80-\xff]/

/**
 * Encodes header text as Latin-1, which is the encoding that peers expect. The native library would encode a string as
 * UTF-8, so only plain ASCII may be passed as a string.
 */
export const headerText = (value: string): string | Uint8Array => (nonAscii.test(value) ? Buffer.from(value, "latin1") : value)
