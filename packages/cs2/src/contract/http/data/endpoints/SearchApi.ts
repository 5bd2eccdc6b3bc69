/** Endpoints that find teams, players, events and matches by name. The search tolerates typing errors. */
import { pageQuery, success } from "@matchpoint/contracts/http/envelope"
import { archiveErrors, describe } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { dataLimits } from "../dataLimits.ts"
import { EventRow, MatchSummary, Player, Team } from "../models.ts"
import { PlainText } from "../references.ts"

/** Default `limit`, for each kind of result (teams, players and so on) separately. */
export const searchDefaults = { search: 10, autocomplete: 5 } as const

export const searchQuery = {
  q: PlainText.pipe(Schema.decodeTo(PlainText.check(Schema.isMinLength(1)), SchemaTransformation.trim())).annotate({
    description: "Text to find: a name, nickname or tag, the beginning of one, or `team vs team`. At most 100 characters",
  }),
  limit: pageQuery.limit,
} as const

export const Found = Schema.Struct({
  teams: Schema.Array(Team),
  players: Schema.Array(Player),
  events: Schema.Array(EventRow),
  matches: Schema.Array(MatchSummary),
}).annotate({ identifier: "SearchResult" })
export type Found = typeof Found.Type

const FoundMeta = Schema.Struct({
  count: Schema.Natural.annotate({ description: "Results of all kinds together" }),
  limit: Schema.Natural.annotate({ description: "Maximum number of results of each kind" }),
  query: Schema.String,
}).annotate({ identifier: "SearchMeta" })

const answer = { query: searchQuery, success: success(Found, FoundMeta), error: archiveErrors } as const

const ranked =
  "Exact names come first, then names that contain the words, then names that begin with them, then similar names. Among equals, the better-known entity comes first. Case, accents and punctuation are ignored: `hunter` finds `huNter-`. Matches are those of the teams and events found, newest first, within your plan's history."

export class SearchApi extends HttpApiGroup.make("cs2-search")
  .add(
    HttpApiEndpoint.get("search", "/cs2/search", answer).annotateMerge(
      describe(
        "Search",
        `Finds teams, players, events and matches. ${ranked} \`limit\` applies to each kind: default ${searchDefaults.search}, at most ${dataLimits.search}.`,
      ),
    ),
    HttpApiEndpoint.get("autocomplete", "/cs2/autocomplete", answer).annotateMerge(
      describe(
        "Autocomplete",
        `Same as search, for requests while a user types. \`limit\` applies to each kind: default ${searchDefaults.autocomplete}, at most ${dataLimits.search}.`,
      ),
    ),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(OpenApi.annotations({ title: "CS2 search", description: "Finds teams, players, events and matches by name." })) {}
