/** An id or a slug in SQL: the number of the entity it names, null when it names none. */
import type { PgClient } from "@effect/sql-pg"
import { EventId, eventNumber, PlayerId, playerNumber, TeamId, teamNumber } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"

const isTeamId = Schema.is(TeamId)
const isPlayerId = Schema.is(PlayerId)
const isEventId = Schema.is(EventId)

/** Slugs are stored in lower case. */
const slug = (reference: string): string => reference.toLowerCase()

export const teamNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isTeamId(reference) ? sql`${teamNumber(reference)}::bigint` : sql`(SELECT team_number FROM cs2_teams WHERE slug = ${slug(reference)})`

export const playerNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isPlayerId(reference)
    ? sql`${playerNumber(reference)}::bigint`
    : sql`(SELECT player_number FROM cs2_players WHERE slug = ${slug(reference)})`

export const eventNumberOf = (sql: PgClient.PgClient, reference: string): Fragment =>
  isEventId(reference) ? sql`${eventNumber(reference)}::bigint` : sql`(SELECT event_number FROM cs2_events WHERE slug = ${slug(reference)})`
