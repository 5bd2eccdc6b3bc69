/**
 * Text that is shown on one line of a terminal or a table. Control characters could forge further lines or change what
 * is shown.
 */
import { Schema } from "effect"
import { StorableText } from "./storableText.ts"

/** Control characters, line and paragraph separators, and marks that change the direction of text. */
const unprintable = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const everyUnprintable = new RegExp(unprintable, "gu")

const REASON = "has a control character, a line break or a character that changes the direction of text; remove it"

export const PrintableText = StorableText.check(Schema.makeFilter((text) => (unprintable.test(text) ? REASON : undefined)))

/** Replaces unprintable characters, such as a line break with `\u{a}`. */
export const escapeUnprintable = (text: string): string =>
  text.replace(everyUnprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
