/** Endpoints for roster changes, transfers of players, and the rosters of teams over time. */
import { success } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { FollowsSlugs } from "@matchpoint/contracts/http/FormerSlug"
import { archiveErrors, cursorQuery, describe } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PlayerReference, TeamReference } from "../references.ts"
import {
  AvailablePaging,
  RosterChanges,
  RosterHistory,
  rosterChangeQuery,
  TransferSort,
  Transfers,
  transferQuery,
} from "../transferModels.ts"

const { after, before, include_computed, include_undated, status } = transferQuery

const COMPUTED =
  "If no source reports a transfer, it is derived from line-ups (`computed: true`). A player's team changes with the first match for the new team. " +
  "A few matches for another team, between two matches for the old team, count as a stand-in and not as a transfer. `limit` is at most 200."

export class TransfersApi extends HttpApiGroup.make("cs2-transfers")
  .add(
    HttpApiEndpoint.get("rosterChanges", "/cs2/roster-changes/recent", {
      query: rosterChangeQuery,
      success: success(RosterChanges, AvailablePaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Roster changes",
        "Players and coaches that joined, left, were benched or became a coach, newest first. `limit` is at most 200.",
      ),
    ),
    HttpApiEndpoint.get("recentTransfers", "/cs2/transfers/recent", {
      query: { ...transferQuery, sort: Schema.optionalKey(TransferSort) },
      success: success(Transfers, AvailablePaging),
      error: archiveErrors,
    }).annotateMerge(describe("Recent transfers", `Transfers, newest first. \`sort=oldest\` reverses the order. ${COMPUTED}`)),
    HttpApiEndpoint.get("transfers", "/cs2/transfers", {
      query: transferQuery,
      success: success(Transfers, AvailablePaging),
      error: archiveErrors,
    }).annotateMerge(describe("Transfers", `Transfers, newest first. ${COMPUTED}`)),
    HttpApiEndpoint.get("playerTransfers", "/cs2/players/:playerId/transfers", {
      params: { playerId: PlayerReference },
      query: { ...cursorQuery, after, before, include_computed, include_undated, status },
      success: success(Transfers, AvailablePaging),
      error: [NotFound, ...archiveErrors],
    })
      .annotate(FollowsSlugs, true)
      .annotateMerge(describe("A player's transfers", `Newest first. ${COMPUTED}`)),
    HttpApiEndpoint.get("rosterHistory", "/cs2/teams/:teamId/roster-history", {
      params: { teamId: TeamReference },
      query: cursorQuery,
      success: success(RosterHistory, AvailablePaging),
      error: [NotFound, ...archiveErrors],
    })
      .annotate(FollowsSlugs, true)
      .annotateMerge(
        describe(
          "Roster history",
          "Every stay of a player or coach with the team: who is there now first, then by the last match. Stays that ended before the plan's " +
            "history begins are left out. `limit` is at most 200.",
        ),
      ),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(
    OpenApi.annotations({ title: "CS2 transfers", description: "Roster changes, transfers of players, and rosters over time." }),
  ) {}
