/** Finds teams, players, events and matches by name, typing errors included. */
import { Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../../Authentication.ts"
import { ConditionalGet } from "../../../ConditionalGet.ts"
import { pageQuery, success } from "../../../envelope.ts"
import { archiveErrors, describe } from "../../../listing.ts"
import { Metering, Section } from "../../../Metering.ts"
import { RequestRules } from "../../../RequestRules.ts"
import { dataLimits } from "../dataLimits.ts"
import { EventRow, MatchSummary, Player, Team } from "../models.ts"
import { Words } from "../references.ts"

/** What is found of each kind when no `limit` is asked for. */
export const searchDefaults = { search: 10, autocomplete: 5 } as const

export const searchQuery = {
  q: Words.pipe(Schema.decodeTo(Words.check(Schema.isMinLength(1)), SchemaTransformation.trim())).annotate({
    description: "What to find: a name, a handle, a tag, the beginning of one, or `team vs team`. At most 100 characters",
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
  count: Schema.Natural.annotate({ description: "Of all kinds together" }),
  limit: Schema.Natural.annotate({ description: "Of each kind" }),
  query: Schema.String,
}).annotate({ identifier: "SearchMeta" })

const answer = { query: searchQuery, success: success(Found, FoundMeta), error: archiveErrors } as const

const ranked =
  "Exact names come before names that contain the words, these before names that begin with them, and these before similar ones; among equals the better known one. Case, accents and signs do not matter: `hunter` finds `huNter-`. Matches are those of the teams and events that were found, newest first, as far back as your plan looks."

export class SearchApi extends HttpApiGroup.make("cs2-search")
  .add(
    HttpApiEndpoint.get("search", "/cs2/search", answer).annotateMerge(
      describe(
        "Search",
        `Teams, players, events and matches. ${ranked} \`limit\` counts each kind: ${searchDefaults.search} unless told, at most ${dataLimits.search}.`,
      ),
    ),
    HttpApiEndpoint.get("autocomplete", "/cs2/autocomplete", answer).annotateMerge(
      describe(
        "Autocomplete",
        `The same as search, for every letter of a search box: ${searchDefaults.autocomplete} of each kind unless told, at most ${dataLimits.search}.`,
      ),
    ),
  )
  .annotate(Section, "cs2")
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "CS2 search", description: "Finds by name what the other sections have." })) {}
