/**
 * Schedules recurring background jobs (chores) of an archive: which process runs a chore, when it was last completed,
 * and whether it has been requested since. At most one process per database runs a chore: the one that has claimed its
 * row. If that process dies, another may claim the row after `lostAfter`. The caller does the work of the chore.
 */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import type { GameName } from "@matchpoint/domain/ids"
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "./Counter.ts"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "./StoreError.ts"

export interface ChoreTerms {
  /** Interval between runs, measured from the start of the last completed run. */
  readonly every: Duration.Duration
  /** Shorter interval, which applies if a run has been requested since the start of the last completed one. */
  readonly atMostEvery: Duration.Duration
  /** After this time a running process is considered dead. Must exceed the longest possible duration of the job. */
  readonly lostAfter: Duration.Duration
}

export interface TakenChore {
  readonly chore: string
  readonly holder: string
  /**
   * Start of the last completed run, in epoch milliseconds. Data written later may be missing from its result. Undefined
   * if the job has never been completed.
   */
  readonly doneAsOf: number | undefined
}

export interface GameChores {
  /**
   * Claims a chore. If the result is `Some`, the caller must run the chore and release it with `giveBack`. `None`: the
   * chore is not due or another process has claimed it.
   */
  readonly take: (chore: string, terms: ChoreTerms) => Effect.Effect<Option.Option<TakenChore>, StoreError>
  /**
   * Releases a claimed chore. If `done` is false, the run has failed and the chore is still due. Has no effect if
   * another process has claimed it in the meantime.
   */
  readonly giveBack: (taken: TakenChore, done: boolean) => Effect.Effect<void, StoreError>
  /**
   * Requests an earlier run, because there is new data. Cheap enough to call after every write. Runs in the caller's
   * transaction if there is one.
   */
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
          // biome-ignore lint/plugin: compared with times in the database
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
          take: storeFn("Chores.take", limit, take),
          giveBack: storeFn("Chores.giveBack", limit, (taken, done) => Effect.asVoid(giveBack(taken, done))),
          request: Effect.fn("Chores.request")((chores) => Effect.asVoid(request(chores)), storeOperation("Chores.request", limit)),
        }
      }
      return Chores.of({ of })
    }),
  )
}

const dateOf = (ms: number): Date => new Date(ms)
