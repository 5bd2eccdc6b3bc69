import { Schema } from "effect"

export const Timestamp = Schema.String.annotate({ format: "date-time", description: "ISO 8601, UTC" })
