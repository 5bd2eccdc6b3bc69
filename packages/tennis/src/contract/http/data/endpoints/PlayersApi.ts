import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { NotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, CursorPaging, cursorQuery, describe, limitOf } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SummariesReady } from "../../SummariesReady.ts"
import { archiveLimits, NameParameter, playerIds, playerMatchFilters, recordFilters, TypedName } from "../archiveFilters.ts"
import { TennisMatch } from "../matchModels.ts"
import { PlayerHit, TennisPlayer, TennisPlayerProfile } from "../playerModels.ts"
import { TennisPlayerId, TourParameter } from "../references.ts"
import { TennisPlayerStats } from "../statisticsModels.ts"

export const SEARCH_LIMIT = 10

const ofPlayer = { params: { playerId: TennisPlayerId } } as const
const historyNote = "Only matches and rankings within your plan's history count."

export class TennisPlayersApi extends HttpApiGroup.make("tennis-players")
  .add(
    HttpApiEndpoint.get("list", "/tennis/players", {
      query: {
        ...cursorQuery,
        q: Schema.optionalKey(NameParameter),
        tour: Schema.optionalKey(TourParameter),
        sort: Schema.optionalKey(Schema.Literals(["fame", "name", "rank", "matches"])),
      },
      success: success(Schema.Array(TennisPlayer), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Tennis players",
        `Best-known players first, by titles, wins and ranks. \`sort=rank\` puts the best current rank first and players without one last, \`sort=matches\` the most matches first. \`limit\` is at most ${archiveLimits.players}.`,
      ),
    ),
    HttpApiEndpoint.get("search", "/tennis/players/search", {
      query: { q: TypedName, tour: Schema.optionalKey(TourParameter), limit: limitOf(SEARCH_LIMIT) },
      success: success(Schema.Array(PlayerHit), Schema.Struct({ count: Schema.Natural, limit: Schema.Natural, query: Schema.String })),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Find tennis players",
        `For requests while a user types. Ordered by how well the text fits and how well known the player is, so that a famous first name stands before the equal last name of an unknown player. Similar names are added only if there are fewer than ${SEARCH_LIMIT / 2} other hits. \`limit\` is at most ${archiveLimits.search}.`,
      ),
    ),
    HttpApiEndpoint.get("batch", "/tennis/players/batch", {
      query: { ids: playerIds(archiveLimits.batch, 1) },
      success: success(Schema.Array(TennisPlayer), Schema.Struct({ count: Schema.Natural, missing: Schema.Array(Schema.String) })),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Several tennis players",
        `Up to ${archiveLimits.batch} players in the order of the ids. \`meta.missing\` lists ids without a player.`,
      ),
    ),
    HttpApiEndpoint.get("one", "/tennis/players/:playerId", {
      ...ofPlayer,
      success: success(TennisPlayerProfile, NoMeta),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(describe("One tennis player", `Profile, ranks and career totals. ${historyNote}`)),
    HttpApiEndpoint.get("stats", "/tennis/players/:playerId/stats", {
      ...ofPlayer,
      query: recordFilters,
      success: success(TennisPlayerStats, NoMeta),
      error: [...archiveErrors, NotFound, UnknownValue],
    }).annotateMerge(
      describe(
        "Career statistics of a tennis player",
        `Record, tie-breaks, deciding sets, serve and return, and the record by surface, level, circuit and year. If no match has statistics, \`statistics_reason\` states why. ${historyNote}`,
      ),
    ),
    HttpApiEndpoint.get("matches", "/tennis/players/:playerId/matches", {
      ...ofPlayer,
      query: playerMatchFilters,
      success: success(Schema.Array(TennisMatch), CursorPaging),
      error: [...archiveErrors, NotFound, UnknownValue],
    }).annotateMerge(
      describe(
        "Matches of a tennis player",
        `Singles matches, newest first. ${historyNote} \`limit\` is at most ${archiveLimits.matches}.`,
      ),
    ),
  )
  .middleware(SummariesReady)
  .pipe(sectionReads("tennis"))
  .annotateMerge(OpenApi.annotations({ title: "Tennis players", description: "Players, their careers and their matches." })) {}
