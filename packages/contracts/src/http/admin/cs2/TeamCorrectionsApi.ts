/**
 * Corrections of who is who among the teams of CS2, for operators: two teams that are one, and one that is two. They hold for everything
 * that is imported later, and are in the changelog (`GET /cs2/changelog?entity_type=team`).
 */
import { TeamId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TeamReference } from "../../cs2/data/references.ts"
import { NoMeta, Paging, pageQuery, success } from "../../envelope.ts"
import { Conflict, InternalError, NotFound, ServiceUnavailable, ValidationError } from "../../errors.ts"
import { Instant } from "../../instants.ts"
import { RequestRules } from "../../RequestRules.ts"
import { ADMIN_ROOT, AdminAccess, AdminGate } from "../AdminApi.ts"

export const MAX_CORRECTIONS = 200

const Words = Schema.String.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(120))
const Reason = Schema.optionalKey(Words.annotate({ description: "For the changelog" }))

export const TeamMerge = Schema.Struct({
  team: TeamReference.annotate({ description: "Id or slug of the team that goes; both lead to the other one from then on" }),
  into: TeamReference.annotate({ description: "Id or slug of the team that stays" }),
  reason: Reason,
})
export type TeamMerge = typeof TeamMerge.Type

export const TeamSplit = Schema.Struct({
  team: TeamReference.annotate({ description: "Id or slug of the team that is two" }),
  name: Words.annotate({ description: "Name of the new team" }),
  from: Schema.optionalKey(Instant.annotate({ description: "The new team's first moment; without it, from the beginning" })),
  until: Schema.optionalKey(Instant.annotate({ description: "The new team ends before this; without it, never" })),
  reason: Reason,
})
export type TeamSplit = typeof TeamSplit.Type

export const TeamCorrection = Schema.Struct({
  correctionId: Schema.Natural,
  kind: Schema.Literals(["merge", "split"]),
  teamId: TeamId.annotate({ description: "Of a merge: the team that is gone. Of a split: the team that keeps the rest" }),
  otherTeamId: TeamId.annotate({ description: "Of a merge: the team that stays. Of a split: the new team" }),
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
    }).annotateMerge(describe("Corrections of teams", "Newest first.")),
    HttpApiEndpoint.post("merge", "/cs2/teams/merge", {
      payload: TeamMerge,
      success: success(TeamCorrection, NoMeta),
      error: [...errors, NotFound, Conflict],
    }).annotateMerge(
      describe(
        "Two teams are one",
        "Moves matches, line-ups, standings, prizes and names. Refused with 409 if the two have played each other. Not undone by a split: look twice.",
      ),
    ),
    HttpApiEndpoint.post("split", "/cs2/teams/split", {
      payload: TeamSplit,
      success: success(TeamCorrection, NoMeta),
      error: [...errors, NotFound, Conflict],
    }).annotateMerge(
      describe(
        "One team is two",
        "A new team gets what the team did in a period. `from` or `until` is needed; refused with 409 if there is no match in the period.",
      ),
    ),
  )
  .middleware(RequestRules)
  .middleware(AdminAccess)
  .middleware(AdminGate)
  .prefix(ADMIN_ROOT) {}
