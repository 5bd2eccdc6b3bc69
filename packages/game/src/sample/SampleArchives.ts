/**
 * Simulated seasons for the empty archives of a new server, written while it already answers. Each game has its own.
 */
import type { GameName } from "@matchpoint/domain/ids"
import { Imports } from "@matchpoint/store/Imports"
import { Context, DateTime, Duration, Effect, Layer, Option, Schedule } from "effect"

export interface SampleArchive<R> {
  readonly game: GameName
  /** Source and file under which the archive is recorded among the imports of its game. */
  readonly source: string
  readonly file: string
  readonly isEmpty: Effect.Effect<boolean, Error, R>
  /** Up to noon (UTC) of the day of `now`, in epoch milliseconds. May be called again with it after an interruption. */
  readonly write: (now: number) => Effect.Effect<void, Error, R>
  /** Rows of the archive after it was written, for the report of imports. */
  readonly rows?: Effect.Effect<number, Error, R>
}

/**
 * Returns the effect that writes the archive, or none if it has been written or the archive has other matches. The
 * archive is marked as begun, so matches that finish meanwhile do not prevent the writing. Interrupted seasons keep
 * their original day, so that the simulation generates the same matches again.
 */
const begin = Effect.fnUntraced(function* <R>(archive: SampleArchive<R>) {
  const imports = (yield* Imports).of(archive.game)
  const begun = yield* imports.find(archive.source, archive.file)
  if (Option.isSome(begun) && begun.value.finished) return Option.none()
  if (Option.isNone(begun) && !(yield* archive.isEmpty)) return Option.none()
  const day = Option.isSome(begun) ? begun.value.fingerprint : DateTime.formatIsoDateUtc(yield* DateTime.now)
  const file = { source: archive.source, file: archive.file, fingerprint: day }
  if (Option.isNone(begun)) yield* imports.begin(file)
  const { rows = Effect.succeed(undefined), write } = archive
  return Option.some(
    Effect.gen(function* () {
      yield* write(Date.parse(`${day}T12:00:00Z`))
      yield* imports.finish(file, yield* rows)
    }),
  )
})

/** Also continues an interrupted one. */
export const fillArchive = <R>(archive: SampleArchive<R>): Effect.Effect<void, Error, R | Imports> =>
  Effect.flatMap(
    begin(archive),
    Option.getOrElse(() => Effect.void),
  )

export class SampleArchives extends Context.Service<
  SampleArchives,
  {
    /** One after the other. A failure is retried and finally logged, and does not affect the server. */
    readonly write: Effect.Effect<void>
    /** Games whose archives are not complete yet, in the order in which they are written. */
    readonly unfinished: () => ReadonlyArray<GameName>
  }
>()("@matchpoint/game/sample/SampleArchives") {
  /** Ready when the empty archives are known. */
  static readonly layer = <R>(archives: ReadonlyArray<SampleArchive<R>>): Layer.Layer<SampleArchives, never, R | Imports> =>
    Layer.effect(
      SampleArchives,
      Effect.gen(function* () {
        const services = yield* Effect.context<R | Imports>()
        const isOpen = (archive: SampleArchive<R>) =>
          begin(archive).pipe(
            Effect.map(Option.isSome),
            reported(archive, () => false),
          )
        const open = yield* Effect.filter(archives, isOpen)
        const left = new Set(open.map(({ game }) => game))
        const unfinished = () => [...left]
        if (open.length === 0) return SampleArchives.of({ write: Effect.void, unfinished })
        yield* Effect.logInfo(`will write sample archives in the background: ${unfinished().join(", ")}`)
        const writeOne = Effect.fnUntraced(function* (archive: SampleArchive<R>, index: number) {
          const place = `${index + 1} of ${open.length}`
          yield* Effect.logInfo(`writing the sample archive of ${archive.game} (${place}); until then, its lists are empty or incomplete`)
          const filled = Effect.as(fillArchive(archive), true)
          const [took, isComplete] = yield* Effect.timed(reported(archive, () => false)(filled))
          if (!isComplete) return
          left.delete(archive.game)
          yield* Effect.logInfo(`the sample archive of ${archive.game} is complete after ${seconds(took)} s (${place})`)
        })
        const write = Effect.forEach(open, writeOne, { discard: true })
        return SampleArchives.of({
          write: Effect.provideContext(Effect.andThen(write, Effect.logInfo("finished writing the sample archives")), services),
          unfinished,
        })
      }),
    )
}

/** Rounded to a tenth. */
const seconds = (duration: Duration.Duration): number => Math.round(Duration.toSeconds(duration) * 10) / 10

/** Retries failures, and finally logs them and returns `otherwise`. */
const reported =
  <A>({ game }: Pick<SampleArchive<never>, "game">, otherwise: () => A) =>
  <R>(effect: Effect.Effect<A, Error, R>): Effect.Effect<A, never, R> =>
    effect.pipe(
      Effect.retry({ times: 3, schedule: Schedule.exponential("1 second") }),
      Effect.catchCause((cause) => Effect.map(Effect.logError(`the sample archive of ${game} could not be written`, cause), otherwise)),
    )
