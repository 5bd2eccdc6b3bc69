// Owns the status line and the rule which header names and values may leave the process.
// uWebSockets.js writes what it is given, so a CR or LF in a value would let a user's text forge headers or a whole response.
import { STATUS_CODES } from "node:http"

const lines: Array<string | undefined> = []

/** `"404 Not Found"`. The caller has checked the status and the text. */
export const statusLine = (status: number, text: string | undefined): string => {
  if (text !== undefined) return `${status} ${text}`
  lines[status] ??= `${status} ${STATUS_CODES[status] ?? "Unknown"}`
  return lines[status]
}

/** Interim (1xx) statuses would leave the client waiting for the final response for ever. */
export const isFinalStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status <= 599

// RFC 9110: a field value is visible characters, space, tab and obs-text; a name is a token. The same alphabets as node:http.
const invalidValue = /[^\t\x20-\x7e\x80-\xff]/
const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

export const isValidText = (text: string): boolean => !invalidValue.test(text)

/** Written by the native library or decided by who answers; from an application they would appear twice or contradict the framing. */
const nativeHeaders = new Set(["connection", "content-length", "date", "transfer-encoding"])

interface KnownHeader {
  readonly isNative: boolean
  /** What stands before its value, unless it is the first: the end of the line before it, and its name. */
  readonly lead: string
  /** The value that was found to be plain last: most are said again and again. */
  plain: string
}

/** Names are few and come with every answer. Bounded, because an application may make them up. */
const knownHeaders = new Map<string, KnownHeader>()
const MAX_KNOWN_HEADERS = 500

/** Undefined: no such name may be sent. */
const headerOf = (name: string): KnownHeader | undefined => {
  const known = knownHeaders.get(name)
  if (known !== undefined) return known
  if (!validName.test(name)) return undefined
  const header = { isNative: nativeHeaders.has(name), lead: `\r\n${name}: `, plain: "" }
  if (knownHeaders.size < MAX_KNOWN_HEADERS) knownHeaders.set(name, header)
  return header
}

const isValid = (name: string, value: string): boolean => headerOf(name) !== undefined && !invalidValue.test(value)

/** Nearly every value is: looked for first, it settles at once whether the value may be sent, and as what. */
const notPlain = /[^\t\x20-\x7e]/

/** The name of the first header that must not be sent, or undefined when all may. */
export const firstInvalidHeader = (headers: Readonly<Record<string, string>>): string | undefined => {
  for (const name in headers) if (!isValid(name, headers[name] ?? "")) return name
  return undefined
}

/** Headers for one native call: the first one's name, and its value with all others as the lines after it. */
export interface HeaderBlock {
  readonly name: string
  /** As the peer will read it; see {@link headerText}. */
  readonly value: string | Uint8Array
}

export type HeaderRecord = Readonly<Record<string, string | undefined>>

/** Header lines that may be sent, put together. */
export interface HeaderLines {
  /** The name of the first, which is not in `text`. Empty: there is none. */
  readonly first: string
  readonly text: string
  /** All of it is ASCII. */
  readonly isPlain: boolean
}

const noLines: HeaderLines = { first: "", text: "", isPlain: true }

/** Behind those `before`. A `TypeError` names a header that must not be sent. */
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
 * Native calls cost more than all else of a head, and the library writes what it is given; so all headers go in one. Undefined: there is
 * none.
 */
export const headerBlock = ({ first, isPlain, text }: HeaderLines): HeaderBlock | undefined =>
  first === "" ? undefined : { name: first, value: isPlain ? text : headerText(text) }

/** The same of lines that may be none. */
export const blockOf = (lines: HeaderLines | TypeError): HeaderBlock | TypeError | undefined =>
  lines instanceof TypeError ? lines : headerBlock(lines)

const invalid = (name: string) => new TypeError(`Invalid character in the header ${JSON.stringify(name)}`)

const nonAscii = /[\x80-\xff]/

/** Header text as the peer will read it: Latin-1. Strings are handed over natively as UTF-8, so only plain ASCII may go as a string. */
export const headerText = (value: string): string | Uint8Array => (nonAscii.test(value) ? Buffer.from(value, "latin1") : value)
