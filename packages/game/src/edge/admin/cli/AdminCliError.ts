/** The command line user can fix it. Only the message is printed. */
import { Schema } from "effect"

export class AdminCliError extends Schema.TaggedError<AdminCliError>()("AdminCliError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect()),
}) {}
