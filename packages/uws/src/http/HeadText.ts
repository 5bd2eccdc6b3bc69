// Owns text that may stand in the head of a response as it is. What is put together from it and numbers need not be looked at again, which
// costs more than all else of a header whose value is another one in every response.
import { isPlainText } from "./responseHead.ts"

export class HeadText {
  readonly text: string
  /** The same, as it is sent. */
  readonly bytes: Uint8Array

  private constructor(text: string) {
    this.text = text
    this.bytes = Buffer.from(text, "latin1")
  }

  /** Throws a `TypeError` where it is not all ASCII, or would end the line that it stands in. */
  static of(text: string): HeadText {
    if (!isPlainText(text)) throw new TypeError("Invalid character in the text of a header")
    return new HeadText(text)
  }

  toString(): string {
    return this.text
  }
}

/** Such texts and numbers, one after the other: digits and signs end no line. */
export class HeadPieces {
  readonly pieces: ReadonlyArray<HeadText | number>

  constructor(...pieces: ReadonlyArray<HeadText | number>) {
    this.pieces = pieces
  }

  get text(): string {
    return this.pieces.map((piece) => (typeof piece === "number" ? piece : piece.text)).join("")
  }

  toString(): string {
    return this.text
  }
}

/** The value of a header. A string is looked at before it is sent. */
export type HeadValue = string | HeadText | HeadPieces
