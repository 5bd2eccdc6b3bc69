/** Corrections of team identities, for operators. They also apply to later imports, and the changelog lists them. */
import { ADMIN_ROOT, AdminAccess, AdminGate, adminApi } from "@matchpoint/contracts/http/admin/AdminApi"
import { NoMeta, Paging, pageQuery, success } from "@matchpoint/contracts/http/envelope"
import { Conflict, InternalError, NotFound, ServiceUnavailable, ValidationError } from "@matchpoint/contracts/http/errors"
import { Instant } from "@matchpoint/contracts/http/instants"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TeamId } from "../../../rules/ids.ts"
import { TeamReference } from "../data/references.ts"

export const MAX_CORRECTIONS = 200

const ShortText = Schema.String.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(120))
const Reason = Schema.optionalKey(ShortText.annotate({ description: "Reason of the correction, shown in the changelog" }))

export const TeamMerge = Schema.Struct({
  team: TeamReference.annotate({
    description: "Id or slug of the team to remove. Afterwards, its id and slug resolve to the remaining team",
  }),
  into: TeamReference.annotate({ description: "Id or slug of the team to keep" }),
  reason: Reason,
})
export type TeamMerge = typeof TeamMerge.Type

export const TeamSplit = Schema.Struct({
  team: TeamReference.annotate({ description: "Id or slug of the team to split" }),
  name: ShortText.annotate({ description: "Name of the new team" }),
  from: Schema.optionalKey(Instant.annotate({ description: "Start of the period that moves to the new team. Default: the beginning" })),
  until: Schema.optionalKey(Instant.annotate({ description: "End of that period, exclusive. Default: no end" })),
  reason: Reason,
})
export type TeamSplit = typeof TeamSplit.Type

export const TeamCorrection = Schema.Struct({
  correctionId: Schema.Natural,
  kind: Schema.Literals(["merge", "split"]),
  teamId: TeamId.annotate({ description: "Merge: the removed team. Split: the original team, which keeps the rest" }),
  otherTeamId: TeamId.annotate({ description: "Merge: the remaining team. Split: the new team" }),
  otherTeamName: Schema.String,
  from: Schema.NullOr(Instant),
  until: Schema.NullOr(Instant),
  reason: Schema.NullOr(Schema.String),
  actor: Schema.String,
  createdAt: Instant,
})
export type TeamCorrection = typeof TeamCorrection.Type

const errors = [ValidationError, ServiceUnavailable, InternalError] as const
const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class TeamCorrectionsApi extends HttpApiGroup.make("cs2-team-corrections")
  .add(
    HttpApiEndpoint.get("corrections", "/cs2/teams/corrections", {
      query: pageQuery,
      success: success(Schema.Array(TeamCorrection), Paging),
      error: errors,
    }).annotateMerge(describe("Team corrections", "Merges and splits of teams, newest first.")),
    HttpApiEndpoint.post("merge", "/cs2/teams/merge", {
      payload: TeamMerge,
      success: success(TeamCorrection, NoMeta),
      error: [...errors, NotFound, Conflict],
    }).annotateMerge(
      describe(
        "Merge two teams",
        "Moves matches, line-ups, standings, prizes and names to the remaining team. Rejected with 409 if the teams have played each other. A split does not undo a merge: check both teams first.",
      ),
    ),
    HttpApiEndpoint.post("split", "/cs2/teams/split", {
      payload: TeamSplit,
      success: success(TeamCorrection, NoMeta),
      error: [...errors, NotFound, Conflict],
    }).annotateMerge(
      describe(
        "Split a team",
        "Moves the matches of a period to a new team. `from` or `until` is required. Rejected with 409 if the team has no match in the period.",
      ),
    ),
  )
  .middleware(RequestRules)
  .middleware(AdminAccess)
  .middleware(AdminGate)
  .prefix(ADMIN_ROOT) {}

export const Cs2AdminApi = adminApi.add(TeamCorrectionsApi)
