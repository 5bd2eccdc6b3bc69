/** Reads the values from which the analytics of players are computed. The rules have the formulas. */
import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { clutchShares } from "../../rules/analytics/clutches.ts"
import { type PlayerSums, type SumField, sumFields } from "../../rules/analytics/playerSums.ts"
import { type BoardPlace, type BoardStat, boardOf, boardStats } from "../../rules/analytics/stats.ts"
import { decodePlayerSums, SumArray, sumsOf } from "./decodeSums.ts"
import { summedJson } from "./playerFacts.ts"
import { ALL_SEASONS } from "./writeAnalytics.ts"

/** Matches that count. */
export interface AnalyticsScope {
  readonly season?: number | undefined
  /** Only matches that start at this time or later. Tournaments without matches do not count then. */
  readonly from?: Date | undefined
}

const AnalyticsPlayer = Schema.Struct({
  playerId: Schema.String,
  ign: Schema.String,
  team: Schema.NullOr(Schema.String),
})
export type AnalyticsPlayer = typeof AnalyticsPlayer.Type

/** Point of a series, with the sums of its matches. */
export interface SeriesPoint {
  readonly label: string
  /** Start of the last match, ISO 8601 in UTC. Null if the source has no matches. */
  readonly date: string | null
  readonly sums: PlayerSums
}

export type Period = "match" | "tournament" | "season"

/** Matches of two players on opposite sides. */
export interface PlayerMeetings {
  readonly matches: number
  readonly wins: readonly [number, number]
  readonly sums: readonly [PlayerSums, PlayerSums]
}

export interface ListedPlayer extends BoardPlace {
  readonly ign: string
  readonly team: string | null
}
export interface BoardPage {
  readonly rows: ReadonlyArray<ListedPlayer>
  readonly total: number
}

export class PlayerAnalytics extends Context.Service<
  PlayerAnalytics,
  {
    /** Players in the order of the ids. Unknown ids are left out. */
    readonly players: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<AnalyticsPlayer>, StoreError>
    /** Fields that are not asked for are 0. Players without a map are left out. */
    readonly sums: (
      ids: ReadonlyArray<string>,
      scope: AnalyticsScope,
      fields: ReadonlyArray<SumField>,
    ) => Effect.Effect<ReadonlyMap<string, PlayerSums>, StoreError>
    /** Newest points, oldest first. Fields of the sums that are not asked for are 0. */
    readonly series: (
      playerId: string,
      period: Period,
      scope: AnalyticsScope,
      fields: ReadonlyArray<SumField>,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<SeriesPoint>, StoreError>
    /** Places on all leaderboards on which the player is listed. */
    readonly places: (playerId: string, scope: AnalyticsScope) => Effect.Effect<Partial<Record<BoardStat, BoardPlace>>, StoreError>
    readonly board: (
      stat: BoardStat,
      scope: AnalyticsScope,
      page: { readonly limit: number; readonly offset: number },
    ) => Effect.Effect<BoardPage, StoreError>
    readonly meetings: (player1: string, player2: string, scope: AnalyticsScope) => Effect.Effect<PlayerMeetings, StoreError>
  }
>()("@matchpoint/cod/archive/analytics/PlayerAnalytics") {
  static readonly layer = Layer.effect(
    PlayerAnalytics,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      /** Condition on facts `f`. */
      const within = ({ from, season }: AnalyticsScope) =>
        sql`${season === undefined ? sql`true` : sql`f.season = ${season}`} ${from === undefined ? sql`` : sql`AND f.starts_at >= ${from}`}`

      const newestTeam = (
        player: "b" | "p",
      ) => sql`(SELECT teams.name FROM cod_player_teams newest JOIN cod_teams teams ON teams.slug = newest.team_slug
        WHERE newest.player_id = ${sql.literal(player)}.player_id AND newest.season = 0)`

      const selectPlayers = (ids: ReadonlyArray<string>) =>
        players(sql`
          SELECT jsonb_build_object('playerId', p.player_id, 'ign', p.ign, 'team', ${newestTeam("p")}) AS row
          FROM unnest(${[...ids]}::text[]) WITH ORDINALITY AS wanted (player_id, place)
          JOIN cod_players p ON p.player_id = wanted.player_id ORDER BY wanted.place`)

      const selectSums = (ids: ReadonlyArray<string> | undefined, scope: AnalyticsScope, fields: ReadonlyArray<SumField>) =>
        Effect.flatMap(
          sql`
            SELECT f.player_id AS "playerId", ${sql.literal(summedJson(fields))} AS sums FROM cod_player_facts f
            WHERE ${within(scope)} ${ids === undefined ? sql`` : sql`AND f.player_id = ANY(${[...ids]}::text[])`} GROUP BY f.player_id`,
          decodePlayerSums(fields),
        )

      const points = (playerId: string, period: Period, scope: AnalyticsScope, fields: ReadonlyArray<SumField>, limit: number) => {
        const { grouped, label } = series[period]
        const facts = sql`SELECT * FROM cod_player_facts f WHERE f.player_id = ${playerId} AND ${within(scope)}`
        // Without the limit, the sums of all matches would be computed before most of them are left out.
        const newest = sql`${facts} AND f.match_id <> '' ORDER BY f.starts_at DESC, f.start_order DESC LIMIT ${limit}`
        return Effect.map(
          seriesRows(sql`
            SELECT jsonb_build_object('label', s.label, 'date', s.date, 'sums', s.sums) AS row FROM (
              SELECT ${sql.literal(label)} AS label, to_char(max(f.starts_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS date,
                ${sql.literal(summedJson(fields))} AS sums, max(f.starts_at) AS last, max(f.start_order) AS start_order, max(f.season) AS season,
                max(t.stage) AS stage, max(f.tournament_id) AS tournament_id
              FROM (${period === "match" ? newest : facts}) f
              JOIN cod_tournaments t USING (tournament_id) LEFT JOIN cod_teams o ON o.slug = f.opponent_slug
              GROUP BY ${sql.literal(grouped)}
              ORDER BY season DESC, last DESC NULLS LAST, stage DESC NULLS FIRST, start_order DESC, tournament_id DESC LIMIT ${limit}
            ) s ORDER BY s.season, s.last NULLS FIRST, s.stage NULLS LAST, s.start_order, s.tournament_id`),
          (rows) => rows.map(({ date, label: text, sums }) => ({ label: text, date, sums: sumsOf(fields, sums) })),
        )
      }

      /** Leaderboard within a limited history. */
      const computed = Effect.fnUntraced(function* (stat: BoardStat, scope: AnalyticsScope) {
        return boardOf(stat, yield* selectSums(undefined, scope, sumFields))
      })

      const listedText = `jsonb_build_object('playerId', b.player_id, 'ign', COALESCE(p.ign, b.player_id), 'rank', b.rank, 'value', b.value, 'sample', b.sample, 'team',`

      const selectBoard = Effect.fnUntraced(function* (
        stat: BoardStat,
        scope: AnalyticsScope,
        { limit, offset }: { readonly limit: number; readonly offset: number },
      ) {
        if (scope.from === undefined) {
          const season = scope.season ?? ALL_SEASONS
          const [page = { rows: [], total: 0 }] = yield* boardPages(sql`
            SELECT jsonb_build_object(
              'total', (SELECT count(*) FROM cod_analytics_boards WHERE season = ${season} AND stat = ${stat}),
              'rows', COALESCE(jsonb_agg(${sql.literal(listedText)} ${newestTeam("b")}) ORDER BY b.position), '[]')) AS row
            FROM cod_analytics_boards b LEFT JOIN cod_players p ON p.player_id = b.player_id
            WHERE b.season = ${season} AND b.stat = ${stat} AND b.position >= ${offset} AND b.position < ${Math.min(offset + limit, 2 ** 31 - 1)}`)
          return page
        }
        const places = yield* computed(stat, scope)
        const shown = places.slice(offset, offset + limit)
        const named = new Map((yield* selectPlayers(shown.map(({ playerId }) => playerId))).map((player) => [player.playerId, player]))
        const rows = shown.map((place) => ({ ...place, ign: place.playerId, team: null, ...named.get(place.playerId) }))
        return { rows, total: places.length }
      })

      const selectPlaces = Effect.fnUntraced(function* (playerId: string, scope: AnalyticsScope) {
        if (scope.from === undefined) {
          const rows = yield* placeRows(sql`
            SELECT jsonb_build_object('stat', stat, 'playerId', player_id, 'rank', rank, 'value', value, 'sample', sample) AS row
            FROM cod_analytics_boards WHERE player_id = ${playerId} AND season = ${scope.season ?? ALL_SEASONS}`)
          return Object.fromEntries(rows.map(({ stat, ...place }) => [stat, place]))
        }
        const players = yield* selectSums(undefined, scope, sumFields)
        const shares = clutchShares([...players.values()])
        return Object.fromEntries(
          boardStats.flatMap((stat) =>
            boardOf(stat, players, shares).flatMap((place) => (place.playerId === playerId ? [[stat, place]] : [])),
          ),
        )
      })

      const selectMeetings = Effect.fnUntraced(function* (player1: string, player2: string, scope: AnalyticsScope) {
        const [row] = yield* meetingRows(sql`
          SELECT jsonb_build_object('matches', count(*), 'wins', jsonb_build_array(count(*) FILTER (WHERE f.won), count(*) FILTER (WHERE o.won)),
            'sums', jsonb_build_array(${sql.literal(summedJson(meetingFields, "f"))}, ${sql.literal(summedJson(meetingFields, "o"))})) AS row
          FROM cod_player_facts f JOIN cod_player_facts o ON o.player_id = ${player2} AND o.match_id = f.match_id
          WHERE f.player_id = ${player1} AND f.match_id <> '' AND o.team_slug <> f.team_slug AND ${within(scope)}`)
        const [one = [], other = []] = row?.sums ?? []
        const [won = 0, lost = 0] = row?.wins ?? []
        return {
          matches: row?.matches ?? 0,
          wins: [won, lost] as const,
          sums: [sumsOf(meetingFields, one), sumsOf(meetingFields, other)] as const,
        }
      })

      const operation = (name: string) => storeOperation(`PlayerAnalytics.${name}`, timeout)
      return PlayerAnalytics.of({
        players: Effect.fn("PlayerAnalytics.players")(selectPlayers, operation("players")),
        sums: Effect.fn("PlayerAnalytics.sums")(selectSums, operation("sums")),
        series: Effect.fn("PlayerAnalytics.series")(points, operation("series")),
        places: Effect.fn("PlayerAnalytics.places")(selectPlaces, operation("places")),
        board: Effect.fn("PlayerAnalytics.board")(selectBoard, operation("board")),
        meetings: Effect.fn("PlayerAnalytics.meetings")(selectMeetings, operation("meetings")),
      })
    }),
  )
}

const meetingFields: ReadonlyArray<SumField> = ["maps", "kills", "deaths", "seconds", "timedKills", "damageSeconds", "timedDamage"]

/** How the facts of a period are grouped and named. */
const series: Readonly<Record<Period, { readonly grouped: string; readonly label: string }>> = {
  match: { grouped: "f.match_id, f.opponent_slug, o.name", label: "COALESCE(o.name, f.opponent_slug)" },
  tournament: { grouped: "f.tournament_id, t.name", label: "t.name" },
  season: { grouped: "f.season", label: "f.season::text" },
}

const Place = Schema.Struct({ playerId: Schema.String, rank: Schema.Natural, value: Schema.Finite, sample: Schema.Finite })
const players = rowsOf(AnalyticsPlayer)
const seriesRows = rowsOf(Schema.Struct({ label: Schema.String, date: Schema.NullOr(Schema.String), sums: SumArray }))
const placeRows = rowsOf(Schema.Struct({ stat: Schema.String, ...Place.fields }))
const boardPages = rowsOf(
  Schema.Struct({
    total: Schema.Natural,
    rows: Schema.Array(Schema.Struct({ ...Place.fields, ign: Schema.String, team: Schema.NullOr(Schema.String) })),
  }),
)
const meetingRows = rowsOf(Schema.Struct({ matches: Schema.Natural, wins: Schema.Array(Schema.Natural), sums: Schema.Array(SumArray) }))
