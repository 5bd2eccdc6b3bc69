/**
 * The response to a request whose path contains a former slug of a team or player: status 307, with the current slug in
 * the body and in the `Location` header. The redirect is temporary because another team or player may take over the
 * former slug later. The request does not count towards the quota.
 */
import { Context, Schema } from "effect"
import { NoMeta, success } from "./envelope.ts"

export const FORMER_SLUG_STATUS = 307

/**
 * True if the path of the endpoint contains the slug of a team or player. Requests with a former slug are then
 * redirected.
 */
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
