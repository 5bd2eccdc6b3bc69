/**
 * Writes the matches whose new state differs from the stored state, many rows per SQL statement, in this order:
 * matches, lineups, game maps, new versions of changed details.
 */
import { isDeepStrictEqual } from "node:util"
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { bigints, insertRows, type Row, upsertRows } from "./bulk.ts"
import { type Change, changesOf, writeChanges } from "./changelog.ts"
import type { GameDraft, MatchDraft } from "./merge/MatchBook.ts"
import { GameRow, isoTime, LineupRow, SeriesRow } from "./rows.ts"

const encodeSeries = Schema.encodeSync(SeriesRow)
const encodeGame = Schema.encodeSync(GameRow)
const encodeLineup = Schema.encodeSync(LineupRow)

/** The caller must update the data derived from the matches and players. */
export interface SavedMatches {
  readonly matches: ReadonlyArray<MatchDraft>
  /** Players whose statistics on a map have changed, or whose maps were moved to another time. */
  readonly players: ReadonlyArray<number>
}

export const saveMatches = Effect.fnUntraced(function* (sql: PgClient.PgClient, drafts: ReadonlyArray<MatchDraft>) {
  const matches = drafts.filter((draft) => !isDeepStrictEqual(draft.series, draft.before))
  yield* upsertRows(
    sql,
    "cs2_series",
    ["match_number"],
    matches.map(({ series }) => encodeSeries(series)),
  )
  yield* insertRows(
    sql,
    "cs2_source_keys",
    drafts.flatMap(({ newKeys, number }) =>
      newKeys.map(({ key, source }) => ({ entity_type: "match", source, source_key: key, entity_number: number })),
    ),
    "ON CONFLICT DO NOTHING",
  )
  yield* saveLineups(sql, drafts)

  const games = drafts.flatMap((draft) => [...draft.games.values()].filter(({ before, row }) => !isDeepStrictEqual(row, before)))
  yield* upsertRows(
    sql,
    "cs2_games",
    ["match_number", "map_number"],
    games.map(({ row }) => encodeGame(row)),
  )
  const players = yield* saveDetail(sql, games)
  yield* writeChanges(sql, [...matches.flatMap(matchChanges), ...drafts.flatMap(mapChanges)])
  return { matches: drafts.filter((draft) => matches.includes(draft) || isChanged(draft)), players } satisfies SavedMatches
})

const isChanged = (draft: MatchDraft): boolean =>
  draft.lineup.size !== draft.lineupBefore.size || [...draft.games.values()].some(({ before, row }) => !isDeepStrictEqual(row, before))

/** Adds new members to `cs2_team_players`. If a match was moved, recomputes its players' first and last match. */
const saveLineups = Effect.fnUntraced(function* (sql: PgClient.PgClient, drafts: ReadonlyArray<MatchDraft>) {
  const fresh = drafts.flatMap(({ lineup, lineupBefore }) => [...lineup.values()].filter((row) => !lineupBefore.has(row.player_number)))
  const rows = fresh.map((row) => encodeLineup(row))
  yield* insertRows(sql, "cs2_lineups", rows)
  if (rows.length > 0) {
    yield* sql`
      INSERT INTO cs2_team_players AS known (team_number, player_number, first_played_at, last_played_at, matches)
      SELECT team_number, player_number, min(played_at), max(played_at), count(*)
      FROM jsonb_populate_recordset(NULL::cs2_lineups, ${sql.json(rows)})
      GROUP BY team_number, player_number
      ON CONFLICT (team_number, player_number) DO UPDATE
      SET first_played_at = LEAST(known.first_played_at, excluded.first_played_at),
        last_played_at = GREATEST(known.last_played_at, excluded.last_played_at), matches = known.matches + excluded.matches`
  }
  const moved = drafts.filter(({ before, series }) => before !== undefined && before.starts_at !== series.starts_at)
  if (moved.length === 0) return
  const numbers = moved.map(({ number }) => number)
  yield* sql`
    UPDATE cs2_lineups l SET played_at = s.starts_at FROM cs2_series s
    WHERE s.match_number = l.match_number AND l.match_number = ANY(${bigints(numbers)}::bigint[]) AND l.played_at <> s.starts_at`
  yield* sql`
    UPDATE cs2_team_players known SET first_played_at = counted.first_at, last_played_at = counted.last_at
    FROM (
      SELECT l.team_number, l.player_number, min(l.played_at) AS first_at, max(l.played_at) AS last_at
      FROM (SELECT DISTINCT team_number, player_number FROM cs2_lineups WHERE match_number = ANY(${bigints(numbers)}::bigint[])) who
      JOIN cs2_lineups l USING (player_number, team_number) GROUP BY l.team_number, l.player_number) counted
    WHERE known.team_number = counted.team_number AND known.player_number = counted.player_number`
})

const saveDetail = Effect.fnUntraced(function* (sql: PgClient.PgClient, games: ReadonlyArray<GameDraft>) {
  const relined = games.filter(({ lines }) => lines !== undefined)
  const replayed = games.filter(({ timeline }) => timeline !== undefined)
  const gone = relined.filter(({ before }) => before?.tellings.lines !== undefined)
  const affected = new Set<number>()
  for (const { player_number } of yield* removeLines(sql, gone)) affected.add(player_number)
  yield* remove(sql, "cs2_weapon_games", gone)
  const untimed = replayed.filter(({ before }) => before?.tellings.timeline !== undefined)
  yield* remove(sql, "cs2_rounds", untimed)
  yield* remove(sql, "cs2_game_events", untimed)

  const lines = relined.flatMap(({ lines, row }) =>
    (lines?.lines ?? []).map((line): Row => ({ ...line, played_at: isoTime(row.played_at) })),
  )
  for (const { player_number } of lines) affected.add(Number(player_number))
  yield* insertRows(sql, "cs2_player_games", lines)
  yield* insertRows(
    sql,
    "cs2_weapon_games",
    relined.flatMap(({ lines }) => lines?.weapons ?? []),
  )
  yield* insertRows(
    sql,
    "cs2_rounds",
    replayed.flatMap(({ timeline }) => timeline?.rounds ?? []),
  )
  yield* insertRows(
    sql,
    "cs2_game_events",
    replayed.flatMap(({ timeline }) => timeline?.events ?? []),
  )

  const moved = games.filter(({ before, lines, row }) => before !== undefined && lines === undefined && before.played_at !== row.played_at)
  if (moved.length > 0) {
    const rows = yield* sql`
      UPDATE cs2_player_games pg SET played_at = g.played_at
      FROM jsonb_to_recordset(${sql.json(keysOf(moved))}) AS w (match_number bigint, map_number integer) JOIN cs2_games g USING (match_number, map_number)
      WHERE pg.match_number = g.match_number AND pg.map_number = g.map_number
      RETURNING pg.player_number::float8 AS player_number`.pipe(Effect.flatMap(decodePlayers))
    for (const { player_number } of rows) affected.add(player_number)
  }
  return [...affected]
})

const decodePlayers = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ player_number: Schema.Finite })))

const keysOf = (games: ReadonlyArray<GameDraft>) => games.map(({ row }) => ({ match_number: row.match_number, map_number: row.map_number }))

const remove = (sql: PgClient.PgClient, table: string, games: ReadonlyArray<GameDraft>) =>
  games.length === 0
    ? Effect.void
    : sql`
        DELETE FROM ${sql.literal(table)} d
        USING jsonb_to_recordset(${sql.json(keysOf(games))}) AS w (match_number bigint, map_number integer)
        WHERE d.match_number = w.match_number AND d.map_number = w.map_number`

const removeLines = (sql: PgClient.PgClient, games: ReadonlyArray<GameDraft>) =>
  games.length === 0
    ? Effect.succeed([])
    : sql`
        DELETE FROM cs2_player_games d
        USING jsonb_to_recordset(${sql.json(keysOf(games))}) AS w (match_number bigint, map_number integer)
        WHERE d.match_number = w.match_number AND d.map_number = w.map_number
        RETURNING d.player_number::float8 AS player_number`.pipe(Effect.flatMap(decodePlayers))

const matchChanges = ({ before, number, series }: MatchDraft): ReadonlyArray<Change> =>
  changesOf({ type: "match", number }, before && encodeSeries(before), encodeSeries(series), {
    source: series.source,
    status: series.status,
  })

/** A new match has none, because the entry of the match includes its maps. */
const mapChanges = ({ before, games, number }: MatchDraft): ReadonlyArray<Change> =>
  before === undefined ? [] : [...games.values()].flatMap((game) => mapChange({ type: "match", number }, game))

const mapChange = (match: Pick<Change, "type" | "number">, { before, row }: GameDraft): ReadonlyArray<Change> => {
  const shown = ({ tellings, ...columns }: typeof GameRow.Encoded) => ({ ...columns, lines: tellings.lines?.source ?? null })
  return changesOf(match, before && shown(encodeGame(before)), shown(encodeGame(row)), { map: row.map_id }, `maps.${row.map_number}.`)
}
