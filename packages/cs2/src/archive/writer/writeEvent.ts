/** Must run in a transaction that has acquired the archive lock. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { nameKey } from "../../rules/archive/names.ts"
import { loadRegister } from "./identity/loadRegister.ts"
import { eventKeys, resolveEvent } from "./identity/resolveIdentity.ts"
import type { EventDetails, ReportOrigin } from "./reports.ts"
import { mergeEventDetails } from "./sheets.ts"
import { finishSheet, noNumbers, wantedOf } from "./writeSheets.ts"

export const writeEvent = Effect.fnUntraced(function* (sql: PgClient.PgClient, sheet: EventDetails, seen: ReportOrigin) {
  const names = [{ type: "event", nameKey: nameKey(sheet.name) } as const]
  const register = yield* loadRegister(sql, wantedOf("event", eventKeys(sheet, seen.source), names, noNumbers, seen))
  const event = resolveEvent(register, sheet, { ...seen, at: sheet.startsAt ?? seen.at })
  mergeEventDetails(event, sheet, seen)
  return yield* finishSheet(sql, register, "event", event)
})
