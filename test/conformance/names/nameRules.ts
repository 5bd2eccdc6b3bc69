/**
 * The rule for names of each part of the public interface, and the names that do not follow it, by their reason. The page
 * docs/customers/names.md has the same for customers. Data only.
 */

export type NameStyle = "camelCase" | "snake_case"

export interface NameRule {
  readonly style: NameStyle
  /** Names in the other style, by the place in the specification that asks for them, or another reason. */
  readonly exceptions: Readonly<Record<string, ReadonlyArray<string>>>
}

const camelCase: NameRule = { style: "camelCase", exceptions: {} }
const snakeCase: NameRule = { style: "snake_case", exceptions: {} }

const paging = { "1-cs2, 1, paging meta: the same in all sections": ["hasNext", "hasPrev", "totalPages"] }

/** Fields of REST requests and responses, by the first word of the path. */
export const fieldRules: Readonly<Record<string, NameRule>> = {
  cs2: {
    style: "camelCase",
    exceptions: {
      "1-cs2, 2, freshness": ["entity_type", "current_status", "last_successful_sync_at", "checked_at"],
      "the sources listed by the freshness": ["last_finished_at", "records_written", "records_rejected", "unfinished_files"],
      "1-cs2, 4, pistol rounds and clutches": ["data_available", "unavailable_reason"],
      "1-cs2, 6, webhook descriptor": [
        "available_on_plans",
        "management_endpoint",
        "create_endpoint",
        "example_payload",
        "signature_headers",
        "live_sse_stream",
      ],
      "a field more of the webhook descriptor": ["delivery_available"],
    },
  },
  tennis: {
    style: "snake_case",
    exceptions: {
      ...paging,
      "the cursor of the paging meta": ["nextCursor"],
      "the list of live matches is the same in all games": ["matchId", "publishedAt"],
    },
  },
  cod: { style: "camelCase", exceptions: { "2-other-sections, 2, clutch factor": ["1v1", "1v2", "1v3"] } },
  apex: camelCase,
  live: camelCase,
  plans: camelCase,
  usage: camelCase,
  qr: camelCase,
  feed: camelCase,
  rocketleague: camelCase,
  valorant: camelCase,
  v1: camelCase,
  webhooks: { style: "snake_case", exceptions: paging },
  transcript: snakeCase,
}

/** Errors are the same in all sections. */
export const errorRule = camelCase

/** Query parameters, by the first word of the path. */
export const queryRules: Readonly<Record<string, NameRule>> = {
  cs2: {
    style: "snake_case",
    exceptions: {
      "1-cs2, 4": ["matchId", "playerId", "teamId", "includeUpcoming", "upcomingLimit"],
      "named like the fields of messages and rows": ["fromMap", "fromRound", "lastEventId", "maxRateMs", "statTrak"],
    },
  },
  tennis: snakeCase,
  cod: camelCase,
  apex: camelCase,
  live: camelCase,
  usage: camelCase,
  qr: camelCase,
  feed: camelCase,
  webhooks: snakeCase,
}

/** Names in paths, which no request contains. */
export const pathRule = camelCase

/** Messages of the live channels, and RPCs. Documents and events of a match follow the rule of their game. */
export const frameRule = camelCase
export const clientMessageRule = camelCase
export const controlMessageRule: NameRule = {
  style: "snake_case",
  exceptions: { "the cursor, which has the names of frames": ["matchId"] },
}
export const documentRules: Readonly<Record<string, NameRule>> = {
  cs2: camelCase,
  tennis: { style: "snake_case", exceptions: { "`eventId` is the same in all games": ["eventId"] } },
  cod: camelCase,
  apex: camelCase,
}

/** `data` of webhook events. */
export const webhookRules: Readonly<Record<string, NameRule>> = {
  cs2: camelCase,
  tennis: snakeCase,
  cod: camelCase,
  apex: camelCase,
  transcript: snakeCase,
}
