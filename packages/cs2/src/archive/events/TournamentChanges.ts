/** Reads which tournaments have started or ended recently, for the webhook events about them. */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import { EventId } from "../../rules/ids.ts"
import { excludeSimulatedSql } from "../excludeSimulated.ts"

export const TournamentChange = Schema.Struct({
  change: Schema.Literals(["started", "ended"]),
  /** Time of the start or the end, epoch ms. */
  at: Counter,
  eventId: EventId,
  name: Schema.String,
  slug: Schema.String,
  tier: Schema.NullOr(Schema.String),
  location: Schema.NullOr(Schema.String),
  startsAt: Counter,
  endsAt: Schema.NullOr(Counter),
})
export type TournamentChange = typeof TournamentChange.Type

export class TournamentChanges extends Context.Service<
  TournamentChanges,
  {
    /** Returns the starts and ends of tournaments within the given time before now, in order. */
    readonly within: (duration: Duration.Duration) => Effect.Effect<ReadonlyArray<TournamentChange>, StoreError>
  }
>()("@matchpoint/cs2/archive/events/TournamentChanges") {
  static readonly layer = Layer.effect(
    TournamentChanges,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const decode = Schema.decodeUnknownEffect(Schema.Array(TournamentChange))
      const ms = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint`
      const rows = (change: "started" | "ended", column: "starts_at" | "ends_at", from: Date, to: Date) => sql`
        SELECT ${change}::text AS change, ${sql.literal(ms(`e.${column}`))} AS at, 'cs2-event-' || e.event_number AS "eventId", e.name,
          e.slug, e.tier, e.location, ${sql.literal(ms("e.starts_at"))} AS "startsAt", ${sql.literal(ms("e.ends_at"))} AS "endsAt"
        FROM cs2_events e
        WHERE e.starts_at IS NOT NULL AND ${sql.literal(`e.${column}`)} > ${from} AND ${sql.literal(`e.${column}`)} <= ${to}
          AND ${sql.literal(excludeSimulatedSql("e"))}`
      const within = Effect.fnUntraced(function* (duration: Duration.Duration) {
        // biome-ignore lint/plugin: compared with times in the database
        const now = yield* Clock.currentTimeMillis
        const [from, to] = [dateOf(now - Duration.toMillis(duration)), dateOf(now)]
        const found = yield* sql`
          ${rows("started", "starts_at", from, to)} UNION ALL ${rows("ended", "ends_at", from, to)} ORDER BY at, change DESC, "eventId"`
        return yield* decode(found)
      })
      return TournamentChanges.of({
        within: storeFn("TournamentChanges.within", limit, within),
      })
    }),
  )
}

const dateOf = (ms: number): Date => new Date(ms)
