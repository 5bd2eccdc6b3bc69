/**
 * Maintains the search index: the normalized names of entities, and a weight for each entity. The weight of a team
 * depends on its ranking or, if it has none, on its number of matches; of a player, on the number of matches; of an
 * event, on its tier and number of teams. Matches are not indexed, because they are found through their teams and
 * event.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { entitySearchKey } from "../../rules/archive/names.ts"
import { bigints } from "../writer/bulk.ts"
import type { EntityType } from "../writer/identity/Register.ts"
import type { SavedRegister } from "../writer/identity/saveRegister.ts"

/** Weights are rounded to such steps: finer ones would change with every match, and a change indexes the row again. */
const WEIGHT_STEPS = 50

const Label = Schema.Struct({
  number: Schema.Finite,
  label: Schema.String,
  texts: Schema.Array(Schema.NullOr(Schema.String)),
  weight: Schema.Finite,
})
const decodeLabels = Schema.decodeUnknownEffect(Schema.Array(Label))

/**
 * `matches` are new or changed. `named` are entities with a newly reported name: they can be found by it even if they
 * are displayed under another one.
 */
export const indexWords = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  { named, written }: SavedRegister,
  matches: ReadonlyArray<number>,
) {
  const involved = yield* involvedIn(sql, matches)
  const numbers = (type: EntityType) => [...new Set([...written[type], ...named[type], ...involved[type]])]
  yield* indexTeams(sql, numbers("team"))
  yield* save(sql, "player", yield* playerLabels(sql, numbers("player")))
  yield* save(sql, "event", yield* eventLabels(sql, numbers("event")))
})

export const indexTeams = Effect.fnUntraced(function* (sql: PgClient.PgClient, teams: ReadonlyArray<number>) {
  yield* save(sql, "team", yield* teamLabels(sql, teams))
})

const Involved = Schema.Array(Schema.Struct({ type: Schema.Literals(["team", "player", "event"]), number: Schema.Finite }))

const involvedIn = Effect.fnUntraced(function* (sql: PgClient.PgClient, matches: ReadonlyArray<number>) {
  const rows =
    matches.length === 0
      ? []
      : yield* sql`
          WITH s AS (SELECT * FROM cs2_series WHERE match_number = ANY(${bigints(matches)}::bigint[]))
          SELECT 'team' AS type, team1_number::float8 AS number FROM s UNION SELECT 'team', team2_number::float8 FROM s
          UNION SELECT 'event', event_number::float8 FROM s WHERE event_number IS NOT NULL
          UNION SELECT 'player', player_number::float8 FROM cs2_lineups WHERE match_number = ANY(${bigints(matches)}::bigint[])`
  const found = yield* Schema.decodeUnknownEffect(Involved)(rows)
  const of = (type: EntityType) => found.flatMap((row) => (row.type === type ? [row.number] : []))
  return { team: of("team"), player: of("player"), event: of("event") }
})

const namesOf = (type: EntityType, number: string) =>
  `ARRAY(SELECT n.name FROM cs2_names n WHERE n.entity_type = '${type}' AND n.entity_number = ${number} ORDER BY n.name COLLATE "C")`

const teamLabels = (sql: PgClient.PgClient, teams: ReadonlyArray<number>) =>
  teams.length === 0
    ? Effect.succeed([])
    : sql`
        SELECT t.team_number::float8 AS number, t.name AS label, ARRAY[t.name, t.tag] || ${sql.literal(namesOf("team", "t.team_number"))} AS texts,
          CASE WHEN t.world_ranking IS NOT NULL THEN GREATEST(0.7, 1 - t.world_ranking / 1000.0)
            ELSE LEAST(0.69, 0.1 + ln(1 + played.matches) / 12) END::float8 AS weight
        FROM cs2_teams t CROSS JOIN LATERAL (
          SELECT (SELECT count(*) FROM cs2_series WHERE team1_number = t.team_number)
            + (SELECT count(*) FROM cs2_series WHERE team2_number = t.team_number) AS matches) played
        WHERE t.team_number = ANY(${bigints(teams)}::bigint[])`.pipe(Effect.flatMap(decodeLabels))

const playerLabels = (sql: PgClient.PgClient, players: ReadonlyArray<number>) =>
  players.length === 0
    ? Effect.succeed([])
    : sql`
        SELECT p.player_number::float8 AS number, p.nickname AS label,
          ARRAY[p.nickname, p.real_name] || ${sql.literal(namesOf("player", "p.player_number"))} AS texts,
          LEAST(0.9, 0.1 + ln(1 + COALESCE(played.matches, 0)) / 10)::float8 AS weight
        FROM cs2_players p
        LEFT JOIN LATERAL (SELECT sum(matches) AS matches FROM cs2_team_players tp WHERE tp.player_number = p.player_number) played ON true
        WHERE p.player_number = ANY(${bigints(players)}::bigint[])`.pipe(Effect.flatMap(decodeLabels))

const eventLabels = (sql: PgClient.PgClient, events: ReadonlyArray<number>) =>
  events.length === 0
    ? Effect.succeed([])
    : sql`
        SELECT e.event_number::float8 AS number, e.name AS label,
          ARRAY[e.name] || ${sql.literal(namesOf("event", "e.event_number"))} AS texts,
          (CASE e.tier WHEN 'S' THEN 0.9 WHEN 'A' THEN 0.75 WHEN 'B' THEN 0.6 WHEN 'C' THEN 0.45 ELSE 0.3 END
            + LEAST(0.09, (SELECT count(*) FROM cs2_event_teams et WHERE et.event_number = e.event_number) / 500.0))::float8 AS weight
        FROM cs2_events e WHERE e.event_number = ANY(${bigints(events)}::bigint[])`.pipe(Effect.flatMap(decodeLabels))

const save = (sql: PgClient.PgClient, type: EntityType, labels: ReadonlyArray<typeof Label.Type>) => {
  const rows = labels.map(({ label, number, texts, weight }) => ({
    number,
    label,
    words: entitySearchKey(...texts),
    weight: Math.fround(Math.round(weight * WEIGHT_STEPS) / WEIGHT_STEPS),
  }))
  return rows.length === 0
    ? Effect.void
    : sql`
        INSERT INTO cs2_search AS known (entity_type, entity_number, label, words, weight)
        SELECT ${type}, number, label, words, weight
        FROM jsonb_to_recordset(${sql.json(rows)}) AS w (number bigint, label text, words text, weight real)
        ON CONFLICT (entity_type, entity_number) DO UPDATE SET label = excluded.label, words = excluded.words, weight = excluded.weight
        WHERE (known.label, known.words, known.weight) IS DISTINCT FROM (excluded.label, excluded.words, excluded.weight)`
}
