import { Flag } from "effect/cli"

export const pageFlags = {
  limit: Flag.Int("limit").pipe(Flag.withDescription("Rows per page"), Flag.withDefault(50)),
  page: Flag.Int("page").pipe(Flag.withDescription("Page number, from 1"), Flag.withDefault(1)),
}
