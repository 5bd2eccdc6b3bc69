/** Status 501 with the announcement of the section. */
import { Announced } from "@matchpoint/contracts/http/announced/Announced"
import { NotYetAvailable } from "@matchpoint/contracts/http/errors"
import { Context, Effect } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

/** An endpoint without an announcement is a defect. */
export const announcedAnswer = ({
  endpoint,
  group,
}: {
  readonly endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "path">
  readonly group: HttpApiGroup.Top
}): Effect.Effect<never, NotYetAvailable> =>
  Effect.suspend(() => {
    const announcement = Context.getUnsafe(Context.merge(group.annotations, endpoint.annotations), Announced)
    return Effect.fail(NotYetAvailable.of(announcement, endpoint.path.replaceAll(/:(\w+)/g, "{$1}")))
  })
