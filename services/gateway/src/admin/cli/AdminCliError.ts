/** What a person at the command line can act on: the message is the whole report. */
import { Schema } from "effect"

export class AdminCliError extends Schema.TaggedError<AdminCliError>()("AdminCliError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect()),
}) {}
