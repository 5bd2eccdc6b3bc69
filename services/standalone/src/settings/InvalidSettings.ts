/** The server cannot start with its settings. One line for each problem, all of them at once. */
import { Schema } from "effect"

export class InvalidSettings extends Schema.TaggedError<InvalidSettings>()("InvalidSettings", {
  problems: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}
