// The status line, and the header names and values that may be sent. uWebSockets.js writes values unchanged, so a CR or
// LF in a user's text could forge headers or a whole response.
import { STATUS_CODES } from "node:http"

const lines: Array<string | undefined> = []

/** A status line such as `404 Not Found`. The caller must have checked the status and the text. */
export const statusLine = (status: number, text: string | undefined): string => {
  if (text !== undefined) return `${status} ${text}`
  lines[status] ??= `${status} ${STATUS_CODES[status] ?? "Unknown"}`
  return lines[status]
}

/** True from 200 to 599. After an interim status (1xx), the client would wait forever for the final response. */
export const isFinalStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status <= 599

// RFC 9110: a value consists of visible characters, space, tab and obs-text, a name is a token. node:http allows the same.
const invalidValue = /[^\t\x20-\x7e\x80-\xff]/
const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

export const isValidText = (text: string): boolean => !invalidValue.test(text)

/**
 * Headers that the native library or the response writer sets. Set twice, they would be duplicated or contradict the
 * message framing.
 */
const nativeHeaders = new Set(["connection", "content-length", "date", "transfer-encoding"])

interface KnownHeader {
  readonly isNative: boolean
  /** Line break after the previous header, this name and `: `, joined once. Not used for the first header. */
  readonly lead: string
  /** Last value that was plain ASCII. Most values are sent repeatedly. */
  plain: string
}

/** The same few names occur in every response. Bounded, because an application may use arbitrary names. */
const knownHeaders = new Map<string, KnownHeader>()
const MAX_KNOWN_HEADERS = 500

/** Undefined if the name must not be sent. */
const headerOf = (name: string): KnownHeader | undefined => {
  const known = knownHeaders.get(name)
  if (known !== undefined) return known
  if (!validName.test(name)) return undefined
  const header = { isNative: nativeHeaders.has(name), lead: `\r\n${name}: `, plain: "" }
  if (knownHeaders.size < MAX_KNOWN_HEADERS) knownHeaders.set(name, header)
  return header
}

const isValid = (name: string, value: string): boolean => headerOf(name) !== undefined && !invalidValue.test(value)

/** Nearly all values are plain ASCII and can be sent as strings. */
const notPlain = /[^\t\x20-\x7e]/

/** Name of the first header that must not be sent. */
export const firstInvalidHeader = (headers: Readonly<Record<string, string>>): string | undefined => {
  for (const name in headers) if (!isValid(name, headers[name] ?? "")) return name
  return undefined
}

/**
 * Several headers in one native call: `name` is that of the first, and `value` contains its value followed by the
 * complete lines of all others.
 */
export interface HeaderBlock {
  readonly name: string
  /** Value in the encoding that the peer reads; see {@link headerText}. */
  readonly value: string | Uint8Array
}

export type HeaderRecord = Readonly<Record<string, string | undefined>>

/** Validated header lines, joined into one text. */
export interface HeaderLines {
  /** Name of the first header, which is not part of `text`; empty without headers. */
  readonly first: string
  readonly text: string
  /** True if `text` is ASCII. */
  readonly isPlain: boolean
}

const noLines: HeaderLines = { first: "", text: "", isPlain: true }

/** Appends the validated lines to `before`. Returns a `TypeError` with the name of a header that must not be sent. */
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
 * One native call for all headers works because the native library writes values unchanged. Native calls are the most
 * expensive part of a response head. Undefined if there are no headers.
 */
export const headerBlock = ({ first, isPlain, text }: HeaderLines): HeaderBlock | undefined =>
  first === "" ? undefined : { name: first, value: isPlain ? text : headerText(text) }

/** Returns a `TypeError` unchanged. */
export const blockOf = (lines: HeaderLines | TypeError): HeaderBlock | TypeError | undefined =>
  lines instanceof TypeError ? lines : headerBlock(lines)

const invalid = (name: string) => new TypeError(`Invalid character in the header ${JSON.stringify(name)}`)

const nonAscii = /[\x80-\xff]/

/** Latin-1, as peers expect. The native library would encode a string as UTF-8, so only plain ASCII may be passed as a string. */
export const headerText = (value: string): string | Uint8Array => (nonAscii.test(value) ? Buffer.from(value, "latin1") : value)
