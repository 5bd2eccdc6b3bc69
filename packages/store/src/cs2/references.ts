/**
 * Resolves an id or a slug to an entity's number in SQL, or to null if it matches nothing. The id of a team that was
 * merged into another finds the remaining team. A slug finds its current holder. In filters it also finds the last
 * entity that had it. As the subject of a read (`subject…`) it does not: callers are redirected, see `FormerSlugs`.
 */
import type { PgClient } from "@effect/sql-pg"
import { EventId, eventNumber, PlayerId, playerNumber, TeamId, teamNumber } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"

const isTeamId = Schema.is(TeamId)
const isPlayerId = Schema.is(PlayerId)
const isEventId = Schema.is(EventId)

/** Converts a slug to lower case, as slugs are stored. */
const slug = (reference: string): string => reference.toLowerCase()

/** The number of the entity that had the slug before, null if none had it. */
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
