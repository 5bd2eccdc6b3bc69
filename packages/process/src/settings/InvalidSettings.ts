/** The server cannot start. Lists all problems, one line each. */
import { Schema } from "effect"

export class InvalidSettings extends Schema.TaggedError<InvalidSettings>()("InvalidSettings", {
  problems: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}
