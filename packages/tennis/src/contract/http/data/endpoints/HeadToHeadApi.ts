import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { NotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, describe } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SummariesReady } from "../../SummariesReady.ts"
import { archiveLimits, playerIds, recordFilters } from "../archiveFilters.ts"
import { TennisHeadToHead, TennisMatrix } from "../headToHeadModels.ts"
import { TennisPlayerId } from "../references.ts"

const historyNote = "Only matches within your plan's history count. Walkovers do not count as wins."

export class TennisHeadToHeadApi extends HttpApiGroup.make("tennis-h2h")
  .add(
    HttpApiEndpoint.get("pair", "/tennis/h2h", {
      query: { ...recordFilters, player1_id: TennisPlayerId, player2_id: TennisPlayerId },
      success: success(TennisHeadToHead, NoMeta),
      error: [...archiveErrors, NotFound, UnknownValue],
    }).annotateMerge(
      describe(
        "Head-to-head of two tennis players",
        `Totals, splits by surface, level and year, finals, Grand Slam matches, and all meetings. ${historyNote}`,
      ),
    ),
    HttpApiEndpoint.get("matrix", "/tennis/h2h/matrix", {
      query: { player_ids: playerIds(archiveLimits.matrix, 2) },
      success: success(TennisMatrix, Schema.Struct({ count: Schema.Natural, missing: Schema.Array(Schema.String) })),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Head-to-head of several tennis players",
        `Every pair of 2 to ${archiveLimits.matrix} players. \`meta.missing\` lists ids without a player. ${historyNote}`,
      ),
    ),
  )
  .middleware(SummariesReady)
  .pipe(sectionReads("tennis"))
  .annotateMerge(OpenApi.annotations({ title: "Tennis head-to-head", description: "Matches between players." })) {}
