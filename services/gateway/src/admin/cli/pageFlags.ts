/** Paging flags of the `list` commands. */
import { Flag } from "effect/cli"

export const pageFlags = {
  limit: Flag.Int("limit").pipe(Flag.withDescription("Rows of a page"), Flag.withDefault(50)),
  page: Flag.Int("page").pipe(Flag.withDescription("Counts from 1"), Flag.withDefault(1)),
}
