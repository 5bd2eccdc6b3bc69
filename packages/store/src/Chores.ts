/**
 * Schedules the recurring work of an archive: which process does it, when it was last completed, and whether it was
 * requested since. At most one process per database does a chore at a time: the one that holds the chore's row. If a
 * process dies, it loses the row after `lostAfter`. The work itself belongs to the caller.
 */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import type { GameName } from "@matchpoint/domain/ids"
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "./Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "./StoreError.ts"

export interface ChoreTerms {
  /** Regular interval: the chore is due when its last completed run started this long ago. */
  readonly every: Duration.Duration
  /** Shorter interval that applies if the chore was requested since the last completed run started. */
  readonly atMostEvery: Duration.Duration
  /** A holder that has not finished after this time counts as dead. Must exceed the time that the work may take. */
  readonly lostAfter: Duration.Duration
}

export interface TakenChore {
  readonly chore: string
  readonly holder: string
  /**
   * Start of the last completed run, epoch ms. Data written after it may be missing from that run's result. Undefined
   * if the chore was never completed.
   */
  readonly doneAsOf: number | undefined
}

/** Chores of one game. */
export interface GameChores {
  /**
   * Claims a chore. Some: the caller holds it and must give it back. None: it is not due, or another process holds it.
   */
  readonly take: (chore: string, terms: ChoreTerms) => Effect.Effect<Option.Option<TakenChore>, StoreError>
  /**
   * Releases a chore. If `done`, it is due again according to its terms; otherwise it is due at once. Changes nothing
   * if another process holds it by now.
   */
  readonly giveBack: (taken: TakenChore, done: boolean) => Effect.Effect<void, StoreError>
  /** Reports that there is new data for these chores. Cheap. Joins the caller's transaction, if there is one. */
  readonly request: (chores: ReadonlyArray<string>) => Effect.Effect<void, StoreError>
}

export class Chores extends Context.Service<
  Chores,
  {
    readonly of: (game: GameName) => GameChores
  }
>()("@matchpoint/store/Chores") {
  static readonly layer = Layer.effect(
    Chores,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const of = (game: GameName): GameChores => {
        const claim = SqlSchema.findOneOption({
          Request: Schema.Struct({
            chore: Schema.String,
            holder: Schema.String,
            now: Schema.Date,
            due: Schema.Date,
            askedDue: Schema.Date,
            lost: Schema.Date,
          }),
          Result: Schema.Struct({ doneAsOf: Schema.NullOr(Counter) }),
          execute: ({ askedDue, chore, due, holder, lost, now }) => sql`
          INSERT INTO chores AS c (game, chore, holder, started_at) VALUES (${game}, ${chore}, ${holder}, ${now})
          ON CONFLICT (game, chore) DO UPDATE SET holder = excluded.holder, started_at = excluded.started_at
          WHERE (c.holder IS NULL OR c.started_at < ${lost})
            AND (c.done_as_of IS NULL OR c.done_as_of <= ${due} OR (c.requested_at >= c.done_as_of AND c.done_as_of <= ${askedDue}))
          RETURNING floor(extract(epoch FROM done_as_of) * 1000)::bigint AS "doneAsOf"`,
        })

        const take = Effect.fnUntraced(function* (chore: string, { atMostEvery, every, lostAfter }: ChoreTerms) {
          const now = yield* Clock.currentTimeMillis
          const holder = randomUUID()
          const before = (duration: Duration.Duration) => dateOf(now - Duration.toMillis(duration))
          const claimed = yield* claim({
            chore,
            holder,
            now: dateOf(now),
            due: before(every),
            askedDue: before(atMostEvery),
            lost: before(lostAfter),
          })
          return Option.map(claimed, ({ doneAsOf }): TakenChore => ({ chore, holder, doneAsOf: doneAsOf ?? undefined }))
        })

        const giveBack = ({ chore, holder }: TakenChore, done: boolean) => sql`
        UPDATE chores SET holder = NULL, done_as_of = CASE WHEN ${done} THEN started_at ELSE done_as_of END
        WHERE game = ${game} AND chore = ${chore} AND holder = ${holder}`

        const request = (chores: ReadonlyArray<string>) =>
          Effect.flatMap(
            Clock.currentTimeMillis,
            (now) =>
              sql`
            INSERT INTO chores (game, chore, requested_at) SELECT ${game}, chore, ${dateOf(now)} FROM unnest(${chores}::text[]) AS asked (chore)
            ON CONFLICT (game, chore) DO UPDATE SET requested_at = excluded.requested_at`,
          )

        return {
          take: Effect.fn("Chores.take")(take, storeOperation("Chores.take", limit)),
          giveBack: Effect.fn("Chores.giveBack")(
            (taken, done) => Effect.asVoid(giveBack(taken, done)),
            storeOperation("Chores.giveBack", limit),
          ),
          request: Effect.fn("Chores.request")((chores) => Effect.asVoid(request(chores)), storeOperation("Chores.request", limit)),
        }
      }
      return Chores.of({ of })
    }),
  )
}

/** Converts epoch milliseconds to a Date. */
const dateOf = (ms: number): Date => new Date(ms)
