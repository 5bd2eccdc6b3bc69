/**
 * Who does the work that an archive needs again and again, when it was done last, and whether somebody asked for it since. Of all processes
 * on a database, one does a chore at a time: the one that holds its row. A process that dies loses the row after a while. The work itself
 * is the caller's.
 */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import type { GameName } from "@matchpoint/domain/ids"
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "./Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "./StoreError.ts"

export interface ChoreTerms {
  /** It is due when this has passed since it was begun last. */
  readonly every: Duration.Duration
  /** It is due sooner when somebody asked for it, but not before this has passed. */
  readonly atMostEvery: Duration.Duration
  /** A holder that has not finished by then is gone. More than its work is allowed to take. */
  readonly lostAfter: Duration.Duration
}

export interface TakenChore {
  readonly chore: string
  readonly holder: string
  /** When the work that was finished last began, epoch ms: whatever was written since may not be in it. Undefined: it was never done. */
  readonly doneAsOf: number | undefined
}

/** The chores of one game. */
export interface GameChores {
  /** Some: the caller has it, and must give it back. None: it is not due, or somebody is at it. */
  readonly take: (chore: string, terms: ChoreTerms) => Effect.Effect<Option.Option<TakenChore>, StoreError>
  /** Gives it back. If `done`, it is due again by its terms, otherwise at once. Changes nothing if another process holds it by now. */
  readonly giveBack: (taken: TakenChore, done: boolean) => Effect.Effect<void, StoreError>
  /** There is something new for them. Cheap; part of the writer's transaction when called in one. */
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

/** `ms`: epoch milliseconds. */
const dateOf = (ms: number): Date => new Date(ms)
