import { PgClient } from "@effect/sql-pg"
import { foldName } from "@matchpoint/domain/names/foldName"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer } from "effect"
import { CodSearchResults } from "../../contract/http/data/boardModels.ts"

export type SearchKind = "player" | "team" | "tournament"

const Results = CodSearchResults.fields.results
export type SearchResults = typeof Results.Type

/**
 * Fit of each kind of hit, 0 to 1. A similar name scores its similarity times `similar`; the better known comes first.
 */
const scores = { exact: 1, beginning: 0.9, wordBeginning: 0.8, inside: 0.7, similar: 0.65 } as const

/** Longest text that is searched, in characters. */
const LONGEST_TEXT = 64

export class CodSearch extends Context.Service<
  CodSearch,
  {
    /** Finds at most `limit` hits of each kind, best first. */
    readonly find: (search: {
      readonly text: string
      readonly kinds: ReadonlyArray<SearchKind>
      readonly limit: number
    }) => Effect.Effect<SearchResults, StoreError>
  }
>()("@matchpoint/cod/archive/search/CodSearch") {
  static readonly layer = Layer.effect(
    CodSearch,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout
      return CodSearch.of({
        find: storeFn("CodSearch.find", timeout, function* ({ kinds, limit, text }) {
          const words = foldName(text).slice(0, LONGEST_TEXT)
          if (words === "") return { players: [], teams: [], tournaments: [] }
          const [results = { players: [], teams: [], tournaments: [] }] = yield* rowsOf(Results)(sql`
            WITH scored AS (
              SELECT kind, id, max(CASE
                WHEN name = ${words} THEN ${scores.exact}::numeric
                WHEN starts_with(name, ${words}) THEN ${scores.beginning}::numeric
                WHEN strpos(' ' || name, ' ' || ${words}) > 0 THEN ${scores.wordBeginning}::numeric
                WHEN strpos(name, ${words}) > 0 THEN ${scores.inside}::numeric
                ELSE round((greatest(similarity(name, ${words}), word_similarity(${words}, name)) * ${scores.similar})::numeric, 2)
              END) AS score, max(weight) AS weight
              FROM cod_names
              WHERE kind = ANY(${kinds}::text[]) AND (strpos(name, ${words}) > 0 OR name % ${words} OR ${words} <% name)
              GROUP BY kind, id
            ), hits AS (
              SELECT kind, id, score, place FROM (
                SELECT kind, id, score,
                  row_number() OVER (PARTITION BY kind ORDER BY score DESC, weight DESC, id) AS place
                FROM scored
              ) AS placed WHERE place <= ${limit}
            )
            SELECT json_build_object(
              'players', COALESCE((
                SELECT json_agg(json_build_object('codPlayerId', h.id, 'ign', p.ign, 'realName', p.real_name, 'team', a.name,
                  'imageUrl', p.image_url, 'matchScore', h.score) ORDER BY h.place)
                FROM hits h JOIN cod_players p ON p.player_id = h.id
                LEFT JOIN cod_player_teams c ON c.player_id = h.id AND c.season = 0
                LEFT JOIN cod_teams a ON a.slug = c.team_slug WHERE h.kind = 'player'), '[]'),
              'teams', COALESCE((
                SELECT json_agg(json_build_object('slug', h.id, 'name', a.name, 'logoUrl', a.logo_url, 'matchScore', h.score)
                  ORDER BY h.place)
                FROM hits h JOIN cod_teams a ON a.slug = h.id WHERE h.kind = 'team'), '[]'),
              'tournaments', COALESCE((
                SELECT json_agg(json_build_object('tournamentId', h.id, 'name', t.name, 'season', t.season, 'matchScore', h.score)
                  ORDER BY h.place)
                FROM hits h JOIN cod_tournaments t ON t.tournament_id = h.id WHERE h.kind = 'tournament'), '[]')) AS row`)
          return results
        }),
      })
    }),
  )
}
