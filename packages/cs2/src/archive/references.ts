/**
 * SQL expressions that resolve an id or a slug to the number of an entity, or to null. The id of a merged team resolves
 * to the remaining team. A slug resolves to the entity that has it now.
 *
 * In filters, a former slug resolves to the last entity that had it. For the entity that a request is about (functions
 * `subject…`), it resolves to null, because callers are redirected to the new slug (see `FormerSlugs`).
 */
import type { PgClient } from "@effect/sql-pg"
import { Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { EventId, eventNumber, PlayerId, playerNumber, TeamId, teamNumber } from "../rules/ids.ts"

const isTeamId = Schema.is(TeamId)
const isPlayerId = Schema.is(PlayerId)
const isEventId = Schema.is(EventId)

/** Slugs are stored in lower case. */
const slug = (reference: string): string => reference.toLowerCase()

export const formerly = (sql: PgClient.PgClient, type: "team" | "player", reference: string): Fragment =>
  sql`(SELECT entity_number FROM cs2_former_slugs WHERE entity_type = ${type}::text AND slug = ${slug(reference)})`

export const subjectTeamNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isTeamId(reference)
    ? sql`COALESCE((SELECT other_number FROM cs2_team_corrections WHERE kind = 'merge' AND team_number = ${teamNumber(reference)}),
        ${teamNumber(reference)})::bigint`
    : sql`(SELECT team_number FROM cs2_teams WHERE slug = ${slug(reference)})`

export const subjectPlayerNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isPlayerId(reference)
    ? sql`${playerNumber(reference)}::bigint`
    : sql`(SELECT player_number FROM cs2_players WHERE slug = ${slug(reference)})`

export const teamNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isTeamId(reference)
    ? subjectTeamNumberOf(sql, reference)
    : sql`COALESCE(${subjectTeamNumberOf(sql, reference)}, ${formerly(sql, "team", reference)})`

export const playerNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isPlayerId(reference)
    ? subjectPlayerNumberOf(sql, reference)
    : sql`COALESCE(${subjectPlayerNumberOf(sql, reference)}, ${formerly(sql, "player", reference)})`

export const eventNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isEventId(reference) ? sql`${eventNumber(reference)}::bigint` : sql`(SELECT event_number FROM cs2_events WHERE slug = ${slug(reference)})`
