import { NotFound } from "@matchpoint/contracts/http/errors"
import { isOn } from "@matchpoint/contracts/http/listing"
import { listHandler, one, reading, since, until } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect, Option } from "effect"
import { TeamArchive } from "../../archive/teams/TeamArchive.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import { slugRedirects } from "./slugRedirects.ts"

export const TeamsHandlers = endpointGroup(
  Cs2Api,
  "cs2-teams",
  Effect.fn(function* (handlers) {
    const teams = yield* TeamArchive
    const redirecting = yield* slugRedirects

    return handlers.handleAll({
      list: listHandler({ max: dataLimits.teams }, ({ query }, window) =>
        teams.list({
          ...window,
          text: query.q,
          region: query.region?.toLowerCase(),
          countryCode: query.country?.toUpperCase(),
          ranked: query.ranked === undefined ? undefined : isOn(query.ranked),
          order: query.sort ?? "ranking",
        }),
      ),
      one: redirecting(
        reading(function* ({ params }) {
          const team = yield* teams.profile(params.teamIdOrSlug, yield* since())
          return Option.isNone(team) ? yield* teamNotFound : one(team.value)
        }),
      ),
      trends: redirecting(
        reading(function* ({ params, query }) {
          const span = { from: yield* since(query.from, query.to), to: until(query.to) }
          const team = yield* teams.trends(params.teamId, query.unit ?? "month", span)
          return Option.isNone(team) ? yield* teamNotFound : one(team.value)
        }),
      ),
    })
  }),
)

const teamNotFound = Effect.fail(NotFound.of("no team has this id or slug; GET /cs2/teams lists all teams"))
