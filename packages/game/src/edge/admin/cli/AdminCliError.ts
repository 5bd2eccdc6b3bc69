/** An error that the user of the command line can fix. Only the message is printed. */
import { Schema } from "effect"

export class AdminCliError extends Schema.TaggedError<AdminCliError>()("AdminCliError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect()),
}) {}
