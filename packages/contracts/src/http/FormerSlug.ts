/**
 * The answer to a path that names a team or player by a slug which has passed on: 307, `Location` with the current slug in its place, and a
 * body that says the same. Not permanent: another team or player may take the slug later. Costs no request of the quota.
 */
import { Context, Schema } from "effect"
import { NoMeta, success } from "./envelope.ts"

export const FORMER_SLUG_STATUS = 307

/** True: the path of the endpoint names a team or a player, and former slugs are redirected. */
export class FollowsSlugs extends Context.Reference<boolean>("@matchpoint/contracts/http/FormerSlug/FollowsSlugs", {
  defaultValue: () => false,
}) {}

export const FormerSlug = success(
  Schema.Struct({
    slug: Schema.String.annotate({ description: "The current slug" }),
    location: Schema.String.annotate({ description: "As in `Location`: the same path and query with the current slug" }),
  }),
  NoMeta,
)
