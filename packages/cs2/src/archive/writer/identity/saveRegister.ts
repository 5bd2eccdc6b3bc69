/**
 * Writes the changes in the register: assigns numbers and slugs to new entities, writes the rows that differ from their
 * stored version, and then stores names and source keys.
 */
import { isDeepStrictEqual } from "node:util"
import type { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { Effect, Schema } from "effect"
import { ORGANISATION_KEY } from "../../../rules/archive/identity.ts"
import { slugOf } from "../../../rules/archive/names.ts"
import { insertRows, type Row, upsertRows } from "../bulk.ts"
import { type Change, changesOf, writeChanges } from "../changelog.ts"
import { EventRow, isoTime, PlayerRow, TeamRow } from "../rows.ts"
import type { AnyKnown, EntityType, Index, Register, ReportedName } from "./Register.ts"
import { displayName } from "./seenNames.ts"

const tables = {
  team: { table: "cs2_teams", number: "team_number" },
  player: { table: "cs2_players", number: "player_number" },
  event: { table: "cs2_events", number: "event_number" },
} as const

const decodeNumbers = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ n: Counter })))
const decodeSlugs = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ slug: Schema.String })))
const encodeTeam = Schema.encodeSync(TeamRow)
const encodePlayer = Schema.encodeSync(PlayerRow)
const encodeEvent = Schema.encodeSync(EventRow)

const nextNumbers = (sql: PgClient.PgClient, table: string, column: string, count: number) =>
  count === 0
    ? Effect.succeed<Array<number>>([])
    : sql`SELECT nextval(pg_get_serial_sequence(${table}, ${column})) AS n FROM generate_series(1, ${count}::integer)`.pipe(
        Effect.flatMap(decodeNumbers),
        Effect.map((rows) => rows.map(({ n }) => n)),
      )

/** From the sequence that live matches also use, so that no number is assigned twice. */
export const nextMatchNumbers = (sql: PgClient.PgClient, count: number) =>
  count === 0
    ? Effect.succeed<Array<number>>([])
    : sql`SELECT next_match_number('cs2') AS n FROM generate_series(1, ${count}::integer)`.pipe(
        Effect.flatMap(decodeNumbers),
        Effect.map((rows) => rows.map(({ n }) => n)),
      )

/** Must run before rows that refer to the new entities are written. */
export const numberNew = Effect.fnUntraced(function* (sql: PgClient.PgClient, register: Register) {
  for (const { index, type } of kinds(register)) {
    const unnumbered = index.all.filter(({ number }) => number === 0)
    const numbers = yield* nextNumbers(sql, tables[type].table, tables[type].number, unnumbered.length)
    unnumbered.forEach((known, at) => {
      known.number = numbers[at] ?? 0
    })
  }
})

/** `written` were created or changed. `named` got a new name, which does not always change the entity's own row. */
export interface SavedRegister {
  readonly named: Readonly<Record<EntityType, ReadonlyArray<number>>>
  readonly written: Readonly<Record<EntityType, ReadonlyArray<number>>>
}

export const saveRegister = Effect.fnUntraced(function* (sql: PgClient.PgClient, register: Register) {
  const changes: Array<Change> = register.rejections.map(({ candidates, known, source, type }) => ({
    type,
    number: known.number,
    field: "identity",
    action: "merge_rejected",
    before: candidates.slice(0, 20).map(({ number }) => `cs2-${type}-${number}`),
    after: { id: `cs2-${type}-${known.number}`, name: displayName(known.names.values())?.name ?? "", source },
  }))
  const written: Record<EntityType, ReadonlyArray<number>> = { team: [], player: [], event: [] }
  const named: Record<EntityType, ReadonlyArray<number>> = { team: [], player: [], event: [] }
  for (const { index, type } of kinds(register)) {
    const slugs = yield* slugsFor(sql, type, index)
    const rows = index.all.flatMap((known): ReadonlyArray<Row> => {
      const row = completed(known, slugs.get(known))
      const before = known.before === undefined ? undefined : encoded(known.before)
      if (isDeepStrictEqual(row, before)) return []
      const named = { name: labelOf(known), source: known.row.source }
      for (const change of changesOf({ type, number: known.number }, before, row, named)) changes.push(change)
      return [row]
    })
    yield* upsertRows(sql, tables[type].table, [tables[type].number], rows)
    written[type] = rows.map((row) => Number(row[tables[type].number]))
    named[type] = index.all.filter(({ names }) => [...names.values()].some(({ isStored }) => !isStored)).map(({ number }) => number)
    yield* saveNames(sql, type, index)
    yield* saveKeys(sql, type, index)
  }
  yield* writeChanges(sql, changes)
  return { named, written } satisfies SavedRegister
})

const kinds = (register: Register): ReadonlyArray<{ readonly type: EntityType; readonly index: Index<AnyKnown> }> => [
  { type: "team", index: register.teams },
  { type: "player", index: register.players },
  { type: "event", index: register.events },
]

const encoded = (row: AnyKnown["row"]): Row =>
  "team_number" in row ? encodeTeam(row) : "player_number" in row ? encodePlayer(row) : encodeEvent(row)

const labelOf = (known: AnyKnown): string => displayName(ownNames(known))?.name ?? ""

/**
 * Names that may be displayed. If a source identifies the team by the name of its organisation, only names from that
 * source; names from other sources then only help to find the team.
 */
const ownNames = ({ keys, names }: AnyKnown): ReadonlyArray<ReportedName> => {
  const all = [...names.values()]
  const own = all.filter(({ source }) => keys.some((key) => key.source === source && key.key.startsWith(ORGANISATION_KEY)))
  return own.length > 0 ? own : all
}

/** High if several sources reported the entity or one reported its own key. Substitute keys (`~…`) do not count. */
const confidenceOf = (known: AnyKnown): "high" | "medium" => {
  const sources = new Set([...known.names.values()].map(({ source }) => source))
  return sources.size > 1 || known.keys.some(({ key }) => !key.startsWith("~")) ? "high" : "medium"
}

const completed = (known: AnyKnown, slug: string | undefined): Row => {
  const shown = displayName(ownNames(known))
  const row = encoded(known.row)
  const [number, name, key] =
    "team_number" in known.row
      ? ["team_number", "name", "name_key"]
      : "player_number" in known.row
        ? ["player_number", "nickname", "nickname_key"]
        : ["event_number", "name", "name_key"]
  return {
    ...row,
    [number]: known.number,
    ...(shown === undefined ? {} : { [name]: shown.name, [key]: shown.nameKey }),
    ...(slug === undefined ? {} : { slug }),
    confidence: known.before?.confidence === "high" ? "high" : confidenceOf(known),
  }
}

/** A slug is made from the name. If it is taken, the entity's number is appended. */
const slugsFor = Effect.fnUntraced(function* (sql: PgClient.PgClient, type: EntityType, index: Index<AnyKnown>) {
  const slugs = new Map<AnyKnown, string>()
  const fresh = index.all.filter(({ before }) => before === undefined)
  if (fresh.length === 0) return slugs
  const wanted = fresh.map((known) => {
    const fallback = `${type}-${known.number}`
    const slug = slugOf(labelOf(known), fallback)
    // A slug that looks like an entity id (`cs2-…`) would be mistaken for an id.
    const plain = slug.startsWith("cs2-") ? fallback : slug
    return { known, choices: [plain, `${plain}-${known.number}`, `${fallback}-${plain}`] }
  })
  const { table } = tables[type]
  const rows = yield* sql`
    SELECT slug FROM ${sql.literal(table)} WHERE slug = ANY(${wanted.flatMap(({ choices }) => choices)}::text[])`.pipe(
    Effect.flatMap(decodeSlugs),
  )
  const taken = new Set(rows.map(({ slug }) => slug))
  for (const { choices, known } of wanted) {
    const slug = choices.find((choice) => !taken.has(choice)) ?? `${type}-${known.number}`
    taken.add(slug)
    slugs.set(known, slug)
  }
  return slugs
})

const saveNames = (sql: PgClient.PgClient, type: EntityType, index: Index<AnyKnown>) =>
  insertRows(
    sql,
    "cs2_names",
    index.all.flatMap(({ names, number }) =>
      [...names.values()].flatMap(({ first_seen_at, isStored, last_seen_at, ...name }) =>
        isStored
          ? []
          : [
              {
                entity_type: type,
                entity_number: number,
                ...name,
                first_seen_at: isoTime(first_seen_at),
                last_seen_at: isoTime(last_seen_at),
              },
            ],
      ),
    ),
    `ON CONFLICT (entity_type, entity_number, source, name_key) DO UPDATE
     SET name = excluded.name, first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at`,
  )

const saveKeys = (sql: PgClient.PgClient, type: EntityType, index: Index<AnyKnown>) =>
  insertRows(
    sql,
    "cs2_source_keys",
    index.newKeys.map(({ key, known }) => ({
      entity_type: type,
      source: key.source,
      source_key: key.key,
      entity_number: known.number,
    })),
    "ON CONFLICT DO NOTHING",
  )
