/**
 * Resolves an id or a slug to an entity's number in SQL, or to null if it matches nothing. A slug finds its current
 * holder, or else the last entity that had it. The id of a team that was merged into another finds the remaining team.
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

const formerly = (sql: PgClient.PgClient, type: "team" | "player", reference: string): Fragment =>
  sql`(SELECT entity_number FROM cs2_former_slugs WHERE entity_type = ${type}::text AND slug = ${slug(reference)})`

export const teamNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isTeamId(reference)
    ? sql`COALESCE((SELECT other_number FROM cs2_team_corrections WHERE kind = 'merge' AND team_number = ${teamNumber(reference)}),
        ${teamNumber(reference)})::bigint`
    : sql`COALESCE((SELECT team_number FROM cs2_teams WHERE slug = ${slug(reference)}), ${formerly(sql, "team", reference)})`

export const playerNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isPlayerId(reference)
    ? sql`${playerNumber(reference)}::bigint`
    : sql`COALESCE((SELECT player_number FROM cs2_players WHERE slug = ${slug(reference)}), ${formerly(sql, "player", reference)})`

export const eventNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isEventId(reference) ? sql`${eventNumber(reference)}::bigint` : sql`(SELECT event_number FROM cs2_events WHERE slug = ${slug(reference)})`
