/**
 * Writes the bracket, final places and prizes of a tournament. The caller has determined the numbers of the event and its
 * teams.
 */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer } from "effect"

export interface EventOutcome {
  readonly stages: ReadonlyArray<{
    readonly name: string
    readonly type: "group" | "swiss" | "bracket"
    readonly rounds: ReadonlyArray<{ readonly name: string; readonly matchNumbers: ReadonlyArray<number> }>
  }>
  /** `place` is null while the event is running. `prize` is in whole units of the event's currency. */
  readonly participants: ReadonlyArray<{
    readonly teamNumber: number
    readonly place: string | null
    readonly prize: number | null
    readonly seed?: number | undefined
  }>
}

export class EventOutcomes extends Context.Service<
  EventOutcomes,
  {
    /** Writing the same outcome again changes nothing. */
    readonly write: (eventNumber: number, outcome: EventOutcome) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/cs2/archive/events/EventOutcomes") {
  static readonly layer = Layer.effect(
    EventOutcomes,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const write = Effect.fnUntraced(function* (eventNumber: number, { participants, stages }: EventOutcome) {
        const structure = {
          stages: stages.map(({ name, rounds, type }) => ({
            name,
            type,
            rounds: rounds.map((round) => ({ name: round.name, matches: round.matchNumbers.map((matchNumber) => ({ matchNumber })) })),
          })),
        }
        const prizes = participants.flatMap(({ place, prize, teamNumber }) =>
          place === null ? [] : [{ place, teamNumber, amount: prize }],
        )
        const distribution = prizes.length === 0 ? null : sql.json(prizes)
        yield* sql`
          UPDATE cs2_events SET structure = ${sql.json(structure)}, prize_distribution = ${distribution}, last_synced_at = now()
          WHERE event_number = ${eventNumber}
            AND (structure, prize_distribution) IS DISTINCT FROM (${sql.json(structure)}::jsonb, ${distribution}::jsonb)`
        const rows = participants.map(({ place, prize, seed, teamNumber }) => ({
          team_number: teamNumber,
          placement: place,
          prize,
          seed: seed ?? null,
        }))
        yield* sql`
          INSERT INTO cs2_event_teams AS stored (event_number, team_number, placement, prize, seed)
          SELECT ${eventNumber}, r.team_number, r.placement, r.prize, r.seed
          FROM jsonb_to_recordset(${sql.json(rows)}) AS r (team_number bigint, placement text, prize bigint, seed integer)
          ON CONFLICT (event_number, team_number) DO UPDATE
          SET placement = excluded.placement, prize = excluded.prize, seed = COALESCE(excluded.seed, stored.seed)
          WHERE (stored.placement, stored.prize, COALESCE(excluded.seed, stored.seed))
            IS DISTINCT FROM (excluded.placement, excluded.prize, stored.seed)`
      }, sql.withTransaction)

      return EventOutcomes.of({ write: storeFn("EventOutcomes.write", limit, write) })
    }),
  )
}
