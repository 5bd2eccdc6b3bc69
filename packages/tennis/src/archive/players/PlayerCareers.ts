import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Array as Arr, Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { TennisPlayerProfile } from "../../contract/http/data/playerModels.ts"
import { TennisPlayerStats } from "../../contract/http/data/statisticsModels.ts"
import type { Tour } from "../../rules/archive/archiveRows.ts"
import { statisticsGapOf } from "../../rules/archive/statisticsGap.ts"
import { type CareerFilter, careerLines, gapFactsText, namedLinesText, profileCareerText, statsText } from "./careerJson.ts"
import { bestRank, currentRankJson, handText, type Since } from "./playerJson.ts"

export class PlayerCareers extends Context.Service<
  PlayerCareers,
  {
    /** Ranks and totals count only from the day `since` on. */
    readonly profile: (playerId: string, since: Since) => Effect.Effect<Option.Option<TennisPlayerProfile>, StoreError>
    /** Statistics of the matches that fit the filter. None if the player is unknown. */
    readonly stats: (playerId: string, filter: CareerFilter) => Effect.Effect<Option.Option<TennisPlayerStats>, StoreError>
  }
>()("@matchpoint/tennis/archive/players/PlayerCareers") {
  static readonly layer = Layer.effect(
    PlayerCareers,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const selectProfile = (playerId: string, since: Since) =>
        Effect.map(
          profiles(sql`
            ${careerLines(sql, playerId, { since })}
            SELECT jsonb_build_object(${sql.literal(`
                'id', p.player_id, 'tour', upper(p.tour), 'name', p.name, 'first_name', p.first_name, 'last_name', p.last_name,
                'country', p.country, 'dob', p.birth_date::text, 'hand', ${handText("p")}, 'backhand', NULL,
                'backhand_reason', 'not_in_archive', 'height_cm', p.height_cm, 'wikidata_id', p.wikidata_id`)},
                'current_rank', ${currentRankJson(sql, "p", since)},
                'career_high', (SELECT jsonb_build_object('rank', rank, 'date', ranking_date::text) FROM ${bestRank(sql, "p", since)} AS best))
              || ${sql.literal(profileCareerText)} AS row
            FROM tennis_player_summaries p WHERE p.player_id = ${playerId}`),
          Arr.head,
        )

      const selectStats = Effect.fnUntraced(function* (playerId: string, filter: CareerFilter) {
        const found = yield* statistics(sql`
          ${careerLines(sql, playerId, filter)} ${sql.literal(namedLinesText)}
          SELECT jsonb_build_object('tour', p.tour, 'player', jsonb_build_object('id', p.player_id, 'name', p.name, 'country', p.country),
            'facts', ${sql.literal(gapFactsText)}) || ${sql.literal(statsText)} AS row
          FROM tennis_player_summaries p WHERE p.player_id = ${playerId}`)
        return Option.map(Arr.head(found), withReason)
      })

      return PlayerCareers.of({
        profile: storeFn("PlayerCareers.profile", timeout, selectProfile),
        stats: storeFn("PlayerCareers.stats", timeout, selectStats),
      })
    }),
  )
}

const profiles = rowsOf(TennisPlayerProfile)

const Facts = Schema.Struct({ circuit: Schema.String, year: Schema.Natural, isWalkover: Schema.Boolean })
const StatsWithFacts = Schema.Struct({
  ...Struct.omit(TennisPlayerStats.fields, ["statistics_reason"]),
  tour: Schema.Literals(["atp", "wta"]),
  facts: Schema.Array(Facts),
})
const statistics = rowsOf(StatsWithFacts)

const withReason = ({ facts, tour, ...stats }: typeof StatsWithFacts.Type): TennisPlayerStats => ({
  ...stats,
  statistics_reason: stats.statistics_matches > 0 ? null : reasonOf(tour, facts),
})

const reasonOf = (tour: Tour, facts: ReadonlyArray<typeof Facts.Type>) => statisticsGapOf(facts.map((fact) => ({ ...fact, tour })))
