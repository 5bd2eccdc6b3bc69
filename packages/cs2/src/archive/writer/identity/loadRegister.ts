/**
 * Loads the entities to which the reports of one archive writer call may refer: those with the reported keys and names,
 * and also the players and teams that played together with them.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { ROSTER_WINDOW, type SourceKey } from "../../../rules/archive/identity.ts"
import { bigints, rowsOf } from "../bulk.ts"
import { EventRow, isoTime, NameRow, PlayerRow, SourceKeyRow, SpellRow, TeamRow } from "../rows.ts"
import { type AnyKnown, type EntityType, extend, type Index, knownEvent, knownPlayer, knownTeam, Register } from "./Register.ts"

export interface Wanted {
  readonly keys: ReadonlyArray<SourceKey & { readonly type: EntityType }>
  readonly names: ReadonlyArray<{ readonly type: EntityType; readonly nameKey: string }>
  /** Further entities to load, for example those that appear in stored matches. */
  readonly numbers: Readonly<Record<EntityType, ReadonlyArray<number>>>
  /** Times of the earliest and the latest report, epoch ms. */
  readonly from: number
  readonly to: number
}

const teamRows = rowsOf(TeamRow)
const playerRows = rowsOf(PlayerRow)
const eventRows = rowsOf(EventRow)
const nameRows = rowsOf(NameRow)
const keyRows = rowsOf(SourceKeyRow)
const spellRows = rowsOf(SpellRow)

const splitRows = rowsOf(
  Schema.Struct({
    of: Schema.Finite,
    other: Schema.Finite,
    from: Schema.NullOr(Schema.Finite),
    until: Schema.NullOr(Schema.Finite),
  }),
)

const unique = <A>(values: Iterable<A>): ReadonlyArray<A> => [...new Set(values)]

export const loadRegister = Effect.fnUntraced(function* (sql: PgClient.PgClient, wanted: Wanted) {
  const keyed = yield* keyRows(sql`
    SELECT to_jsonb(k) AS row
    FROM jsonb_to_recordset(${sql.json(wanted.keys.map(({ key, source, type }) => ({ type, source, key })))})
      AS w (type text, source text, key text)
    JOIN cs2_source_keys k ON k.entity_type = w.type AND k.source = w.source AND k.source_key = w.key`)
  const named = yield* nameRows(sql`
    SELECT to_jsonb(n) AS row
    FROM jsonb_to_recordset(${sql.json(wanted.names)}) AS w (type text, "nameKey" text)
    JOIN cs2_names n ON n.entity_type = w.type AND n.name_key = w."nameKey"`)
  const numbersOf = (type: EntityType) => [
    ...wanted.numbers[type],
    ...keyed.flatMap((row) => (row.entity_type === type ? [row.entity_number] : [])),
    ...named.flatMap((row) => (row.entity_type === type ? [row.entity_number] : [])),
  ]
  const players = unique(numbersOf("player"))
  const spells = yield* spellRows(sql`
    SELECT to_jsonb(tp) || jsonb_build_object('handle', p.nickname_key) AS row
    FROM cs2_team_players tp JOIN cs2_players p USING (player_number)
    WHERE (tp.team_number = ANY(${bigints(unique(numbersOf("team")))}::bigint[]) OR tp.player_number = ANY(${bigints(players)}::bigint[]))
      AND tp.first_played_at <= ${isoTime(wanted.to + ROSTER_WINDOW)}::timestamptz AND tp.last_played_at >= ${isoTime(wanted.from - ROSTER_WINDOW)}::timestamptz`)
  const splits = yield* splitRows(sql`
    SELECT jsonb_build_object('of', team_number, 'other', other_number, 'from', extract(epoch FROM from_at) * 1000,
      'until', extract(epoch FROM until_at) * 1000) AS row
    FROM cs2_team_corrections WHERE kind = 'split' ORDER BY correction_number DESC`)
  const teams = unique([...numbersOf("team"), ...spells.map(({ team_number }) => team_number), ...splits.map(({ other }) => other)])
  const events = unique(numbersOf("event"))

  const register = new Register()
  for (const { from, of, other, until } of splits) {
    register.splits.push({ of, other, from: from ?? Number.NEGATIVE_INFINITY, until: until ?? Number.POSITIVE_INFINITY })
  }
  for (const row of yield* teamRows(sql`SELECT to_jsonb(t) AS row FROM cs2_teams t WHERE team_number = ANY(${bigints(teams)}::bigint[])`)) {
    register.teams.add(knownTeam(row, row))
  }
  for (const row of yield* playerRows(
    sql`SELECT to_jsonb(p) AS row FROM cs2_players p WHERE player_number = ANY(${bigints(players)}::bigint[])`,
  )) {
    register.players.add(knownPlayer(row, row))
  }
  for (const row of yield* eventRows(
    sql`SELECT to_jsonb(e) AS row FROM cs2_events e WHERE event_number = ANY(${bigints(events)}::bigint[])`,
  )) {
    register.events.add(knownEvent(row, row))
  }
  const entities = [
    ...teams.map((number) => ({ type: "team", number })),
    ...players.map((number) => ({ type: "player", number })),
    ...events.map((number) => ({ type: "event", number })),
  ]
  const names = yield* nameRows(sql`
    SELECT to_jsonb(n) AS row FROM jsonb_to_recordset(${sql.json(entities)}) AS w (type text, number bigint)
    JOIN cs2_names n ON n.entity_type = w.type AND n.entity_number = w.number`)
  const keys = yield* keyRows(sql`
    SELECT to_jsonb(k) AS row FROM jsonb_to_recordset(${sql.json(entities)}) AS w (type text, number bigint)
    JOIN cs2_source_keys k ON k.entity_type = w.type AND k.entity_number = w.number`)
  for (const name of names) addName(indexOf(register, name.entity_type), name)
  for (const { entity_number, entity_type, source, source_key } of keys) {
    if (entity_type !== "match") addKey(indexOf(register, entity_type), entity_number, { source, key: source_key })
  }
  for (const { first_played_at: firstAt, handle, last_played_at: lastAt, player_number, team_number } of spells) {
    const team = register.teams.ofNumber(team_number)
    const player = register.players.ofNumber(player_number)
    if (team !== undefined) extend(team.roster, handle, { firstAt, lastAt })
    if (team !== undefined && player !== undefined) extend(player.teams, team, { firstAt, lastAt })
  }
  return register
})

const indexOf = (register: Register, type: EntityType): Index<AnyKnown> => {
  const indexes = { team: register.teams, player: register.players, event: register.events }
  return indexes[type]
}

const addName = <K extends AnyKnown>(index: Index<K>, { entity_number, ...name }: NameRow): void => {
  const known = index.ofNumber(entity_number)
  if (known !== undefined) index.addName(known, { ...name, isStored: true })
}

const addKey = <K extends AnyKnown>(index: Index<K>, number: number, key: SourceKey): void => {
  const known = index.ofNumber(number)
  if (known !== undefined) index.addStoredKey(known, key)
}
