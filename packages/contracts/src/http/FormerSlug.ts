/**
 * The response to a path with a former slug of a team or player: status 307, with the current slug in the body and in
 * `Location`. The redirect is temporary because another team or player may take over the former slug. It costs no
 * quota.
 */
import { Context, Schema } from "effect"
import { NoMeta, success } from "./envelope.ts"

export const FORMER_SLUG_STATUS = 307

/** True if the path contains the slug of a team or player. Former slugs are then redirected. */
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
