// Owns text that may stand in the head of a response as it is. What is put together from it and numbers need not be looked at again, which
// costs more than all else of a header whose value is another one in every response.
import { isPlainText } from "./responseHead.ts"

export class HeadText {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** Throws a `TypeError` where it is not all ASCII, or would end the line that it stands in. */
  static of(text: string): HeadText {
    if (!isPlainText(text)) throw new TypeError("Invalid character in the text of a header")
    return new HeadText(text)
  }

  /** Digits and signs end no line. */
  and(more: HeadText | number): HeadText {
    return new HeadText(typeof more === "number" ? this.text + more : this.text + more.text)
  }

  toString(): string {
    return this.text
  }
}
