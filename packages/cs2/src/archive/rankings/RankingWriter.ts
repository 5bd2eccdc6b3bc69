/** Writes reported rankings and prize money, and the world ranking, which it computes from the archive's matches. */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { totalOf } from "@matchpoint/store/reading"
import { failOnLostConnection, OperationTimeout, StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Array as Arr, Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { type WorldRankingOf, worldRankings } from "../../rules/rankings/worldRanking.ts"
import { excludeSimulatedSql, unmixedPlacesText } from "../excludeSimulated.ts"
import { indexTeams } from "../search/searchWords.ts"

export interface RankedRow {
  readonly region: "global" | "europe" | "americas" | "asia"
  /** Date of the ranking, YYYY-MM-DD. */
  readonly rankedOn: string
  readonly rank: number
  readonly teamNumber: number
  readonly points: number
  readonly roster: ReadonlyArray<string>
}

export interface FactorsRow {
  readonly rankedOn: string
  /** Rank in the global standings. With the date and the team, it identifies the entry that gets the factors. */
  readonly globalRank: number
  readonly teamNumber: number
  readonly factors: Readonly<Record<"startingValue" | "bountyOffered" | "bountyCollected" | "opponentNetwork" | "lanWins", number | null>>
}

export interface PrizeRow {
  readonly teamNumber: number
  /** Last day of the event at which the prize was won, YYYY-MM-DD. */
  readonly endedOn: string
  /** Index that distinguishes several prizes of one team on the same day, counted from 0. */
  readonly ordinal: number
  readonly usdCents: number
}

export class RankingWriter extends Context.Service<
  RankingWriter,
  {
    /** Returns the number of changed rows, as `factors` and `prizes` also do. */
    readonly standings: (source: string, rows: ReadonlyArray<RankedRow>) => Effect.Effect<number, StoreError>
    /** Adds the components of a team's points to its entries in the global and in its regional standings. */
    readonly factors: (rows: ReadonlyArray<FactorsRow>) => Effect.Effect<number, StoreError>
    readonly prizes: (source: string, rows: ReadonlyArray<PrizeRow>) => Effect.Effect<number, StoreError>
    /** Sets the region of each ranked team to the region of its newest standings. Returns how many teams changed. */
    readonly placeRegions: Effect.Effect<number, StoreError>
    /** Recomputes the world rankings, one per Monday, then current ranks and the search index. One transaction. */
    readonly rebuildWorld: Effect.Effect<{ readonly rankings: number; readonly changed: number }, StoreError>
  }
>()("@matchpoint/cs2/archive/rankings/RankingWriter") {
  static readonly layer = Layer.effect(
    RankingWriter,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const standings = (source: string, rows: ReadonlyArray<RankedRow>) =>
        totalOf(sql`
          WITH written AS (
            INSERT INTO cs2_rankings AS stored (ranking, region, ranked_on, rank, team_number, points, roster, source)
            SELECT 'vrs', w.region, w."rankedOn", w.rank, w."teamNumber", w.points,
              ARRAY(SELECT jsonb_array_elements_text(w.roster)), ${source}
            FROM jsonb_to_recordset(${sql.json(rows)})
              AS w (region text, "rankedOn" date, rank integer, "teamNumber" bigint, points double precision, roster jsonb)
            ON CONFLICT (ranking, region, ranked_on, rank, team_number) DO UPDATE
            SET points = excluded.points, roster = excluded.roster, source = excluded.source
            WHERE (stored.points, stored.roster, stored.source) IS DISTINCT FROM (excluded.points, excluded.roster, excluded.source)
            RETURNING 1
          ) SELECT count(*) AS total FROM written`)

      const factors = (rows: ReadonlyArray<FactorsRow>) =>
        totalOf(sql`
          WITH told AS (
            SELECT * FROM jsonb_to_recordset(${sql.json(rows)})
              AS w ("rankedOn" date, "globalRank" integer, "teamNumber" bigint, factors jsonb)
          ), written AS (
            UPDATE cs2_rankings r SET factors = w.factors
            FROM told w JOIN cs2_rankings g
              ON g.ranking = 'vrs' AND g.region = 'global' AND g.ranked_on = w."rankedOn" AND g.rank = w."globalRank"
              AND g.team_number = w."teamNumber"
            WHERE r.ranking = 'vrs' AND r.ranked_on = g.ranked_on AND r.team_number = g.team_number AND r.roster = g.roster
              AND r.factors IS DISTINCT FROM w.factors
            RETURNING 1
          ) SELECT count(*) AS total FROM written`)

      const prizes = (source: string, rows: ReadonlyArray<PrizeRow>) =>
        totalOf(sql`
          WITH written AS (
            INSERT INTO cs2_prizes AS stored (team_number, ended_on, ordinal, usd_cents, source)
            SELECT w."teamNumber", w."endedOn", w.ordinal, w."usdCents", ${source}
            FROM jsonb_to_recordset(${sql.json(rows)}) AS w ("teamNumber" bigint, "endedOn" date, ordinal integer, "usdCents" bigint)
            ON CONFLICT (team_number, ended_on, ordinal) DO UPDATE SET usd_cents = excluded.usd_cents, source = excluded.source
            WHERE (stored.usd_cents, stored.source) IS DISTINCT FROM (excluded.usd_cents, excluded.source)
            RETURNING 1
          ) SELECT count(*) AS total FROM written`)

      const series = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ number: Counter, at: Counter, winner: Counter, loser: Counter, isLan: Schema.Boolean }),
        execute: () => sql`
          SELECT match_number AS number, floor(extract(epoch FROM starts_at) * 1000)::bigint AS at, winner_team_number AS winner,
            CASE WHEN winner_team_number = team1_number THEN team2_number ELSE team1_number END AS loser, COALESCE(is_lan, false) AS "isLan"
          FROM cs2_series WHERE status = 'completed' AND winner_team_number IS NOT NULL AND NOT is_forfeit
            AND ${sql.literal(excludeSimulatedSql("cs2_series"))}`,
      })

      const worldPlaces = SqlSchema.findAll({
        Request: Schema.Void,
        Result: WorldPlace,
        execute: () => sql`
          SELECT ranked_on::text AS "on", rank, team_number AS team, points FROM cs2_rankings WHERE ranking = 'world' AND region = 'global'`,
      })

      const removePlaces = (places: ReadonlyArray<WorldPlace>) => sql`
        DELETE FROM cs2_rankings r USING jsonb_to_recordset(${sql.json(places)}) AS w ("on" date, rank integer, team bigint)
        WHERE r.ranking = 'world' AND r.region = 'global' AND r.ranked_on = w."on" AND r.rank = w.rank AND r.team_number = w.team`

      const writePlaces = (places: ReadonlyArray<WorldPlace>) => sql`
        INSERT INTO cs2_rankings (ranking, region, ranked_on, rank, team_number, points, source)
        SELECT 'world', 'global', "on", rank, team, points, 'archive'
        FROM jsonb_to_recordset(${sql.json(places)}) AS w ("on" date, rank integer, team bigint, points double precision)
        ON CONFLICT (ranking, region, ranked_on, rank, team_number) DO UPDATE SET points = excluded.points`

      /** Writes only what differs. Compared in memory: no query plan suits both small and large numbers of entries. */
      const writeWorld = Effect.fnUntraced(function* (rankings: ReadonlyArray<WorldRankingOf>) {
        const stored = new Map((yield* worldPlaces()).map((place) => [placeId(place), place]))
        const wanted = rankings.flatMap(placesOf)
        const differing = wanted.filter((place) => stored.get(placeId(place))?.points !== place.points)
        // Entries still in `stored` after this loop are obsolete: their rank belongs to another team or to none.
        for (const place of wanted) stored.delete(placeId(place))
        const gone = [...stored.values()]
        for (const some of Arr.chunksOf(gone, PLACES_AT_ONCE)) yield* removePlaces(some)
        for (const some of Arr.chunksOf(differing, PLACES_AT_ONCE)) yield* writePlaces(some)
        return gone.length + differing.length
      })

      const placeTeams = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ team: Counter }),
        execute: () => sql`
          UPDATE cs2_teams t SET world_ranking = n.rank
          FROM cs2_teams o LEFT JOIN cs2_rankings n ON n.team_number = o.team_number AND n.ranking = 'world' AND n.region = 'global'
            AND n.ranked_on = (SELECT max(ranked_on) FROM cs2_rankings WHERE ranking = 'world' AND region = 'global')
          WHERE o.team_number = t.team_number AND t.world_ranking IS DISTINCT FROM n.rank
          RETURNING t.team_number AS team`,
      })

      const placeRegions = totalOf(sql`
        WITH newest AS (
          SELECT DISTINCT ON (team_number) team_number, region FROM cs2_rankings
          WHERE ranking = 'vrs' AND region <> 'global' AND ${sql.literal(unmixedPlacesText("cs2_rankings"))} ORDER BY team_number, ranked_on DESC, rank, region
        ), moved AS (
          UPDATE cs2_teams t SET region = n.region FROM newest n
          WHERE n.team_number = t.team_number AND t.region IS DISTINCT FROM n.region
          RETURNING 1
        ) SELECT count(*) AS total FROM moved`)

      const operation = (name: string) => storeOperation(`RankingWriter.${name}`, limit)

      return RankingWriter.of({
        standings: Effect.fn("RankingWriter.standings")(standings, operation("standings")),
        factors: Effect.fn("RankingWriter.factors")(factors, operation("factors")),
        prizes: Effect.fn("RankingWriter.prizes")(prizes, operation("prizes")),
        placeRegions: placeRegions.pipe(operation("placeRegions")),
        rebuildWorld: Effect.gen(function* () {
          const rankings = worldRankings(yield* series().pipe(operation("series")))
          const changed = yield* writeWorld(rankings).pipe(operation("world"))
          yield* holdUntilCommit(sql, "archive").pipe(operation("lock"))
          const moved = yield* placeTeams().pipe(operation("world"))
          // Teams whose rank has changed are indexed again, because search results list higher ranked teams first.
          yield* indexTeams(
            sql,
            moved.map(({ team }) => team),
          ).pipe(operation("search"))
          return { rankings: rankings.length, changed }
        }).pipe(
          // Everything is written in one transaction, so that readers see either all old rankings or all new ones.
          sql.withTransaction,
          failOnLostConnection,
          Effect.mapError((cause) =>
            cause instanceof StoreError ? cause : new StoreError({ operation: "RankingWriter.rebuildWorld", cause }),
          ),
          Effect.withSpan("RankingWriter.rebuildWorld"),
        ),
      })
    }),
  )
}

const PLACES_AT_ONCE = 5_000

const WorldPlace = Schema.Struct({
  /** Date of the ranking, YYYY-MM-DD. */
  on: Schema.String,
  rank: Schema.Int,
  team: Counter,
  points: Schema.Finite,
})
type WorldPlace = typeof WorldPlace.Type

const placeId = ({ on, rank, team }: WorldPlace): string => `${on} ${rank} ${team}`

const placesOf = ({ on, places }: WorldRankingOf): ReadonlyArray<WorldPlace> => {
  const day = new Date(on).toISOString().slice(0, 10)
  return places.map(({ points, rank, team }) => ({ on: day, rank, team, points }))
}
