/**
 * Merging of players who are in the archive twice, for operators. A merge also applies to everything imported later, and
 * the id of the merged player leads to the remaining one.
 */
import { ADMIN_ROOT, AdminAccess, AdminGate, adminApi } from "@matchpoint/contracts/http/admin/AdminApi"
import { NoMeta, Paging, pageQuery, success } from "@matchpoint/contracts/http/envelope"
import { Conflict, InternalError, NotFound, ServiceUnavailable, ValidationError } from "@matchpoint/contracts/http/errors"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TennisPlayerId } from "../data/references.ts"

export const MAX_CANDIDATES = 200

const ShortText = Schema.String.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(120))

export const PlayerMerge = Schema.Struct({
  player: TennisPlayerId.annotate({ description: "Player to remove. Afterwards, the id leads to the remaining player" }),
  into: TennisPlayerId.annotate({ description: "Player to keep" }),
  reason: Schema.optionalKey(ShortText.annotate({ description: "Reason, shown in the audit log" })),
})

export const PlayerMergeCandidate = Schema.Struct({
  tour: Schema.Literals(["atp", "wta"]),
  name: Schema.String,
  birthDate: Schema.String.annotate({ format: "date" }),
  country: Schema.String,
  playerId: Schema.String,
  matches: Schema.Natural,
  intoId: Schema.String.annotate({ description: "The player with more matches, or with the better rank" }),
  intoMatches: Schema.Natural,
  against: Schema.NullOr(
    Schema.Literals(["several_namesakes", "have_met", "same_ranking_list", "same_tournament", "uncertain_birth_date"]),
  ).annotate({ description: "Reason against the merge; null if the candidate is certain" }),
})
export type PlayerMergeCandidate = typeof PlayerMergeCandidate.Type

const errors = [ValidationError, ServiceUnavailable, InternalError] as const
const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class PlayerMergesApi extends HttpApiGroup.make("tennis-player-merges")
  .add(
    HttpApiEndpoint.get("candidates", "/tennis/players/merge-candidates", {
      query: pageQuery,
      success: success(Schema.Array(PlayerMergeCandidate), Paging),
      error: errors,
    }).annotateMerge(
      describe("Candidates for merging", "Players of a tour with equal name, birth date and country, certain candidates first."),
    ),
    HttpApiEndpoint.post("merge", "/tennis/players/merge", {
      payload: PlayerMerge,
      success: success(Schema.Struct({ player: Schema.String, into: Schema.String }), NoMeta),
      error: [...errors, NotFound, Conflict],
    }).annotateMerge(
      describe(
        "Merge two tennis players",
        "Moves matches and rankings to the remaining player. Rejected with 409 if the two played each other or are in the same ranking list. A merge cannot be undone.",
      ),
    ),
  )
  .middleware(RequestRules)
  .middleware(AdminAccess)
  .middleware(AdminGate)
  .prefix(ADMIN_ROOT) {}

export const TennisAdminApi = adminApi.add(PlayerMergesApi)
