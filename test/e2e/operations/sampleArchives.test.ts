/** Tests the rules for writing sample archives, in a real database. */
import { assert, it } from "@effect/vitest"
import { GameName } from "@matchpoint/domain/ids"
import { type SampleArchive, SampleArchives } from "@matchpoint/game/sample/SampleArchives"
import { Imports } from "@matchpoint/store/Imports"
import { StoreError } from "@matchpoint/store/StoreError"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Logger } from "effect"

const DAY_MS = 86_400_000

/** A sample archive that records its writes. */
const recording = (game: string, isEmpty: Effect.Effect<boolean>, failures = 0) => {
  const writes: Array<number> = []
  const archive: SampleArchive<never> = {
    game: GameName.make(game),
    source: "simulator",
    file: "season",
    isEmpty,
    write: (now) =>
      Effect.suspend(() => {
        writes.push(now)
        return writes.length <= failures ? Effect.fail(new StoreError({ operation: "test", cause: "interrupted" })) : Effect.void
      }),
  }
  return { archive, writes }
}

/** Starts a server with these archives and lets it write them. */
const start = (archives: ReadonlyArray<SampleArchive<never>>, before: Effect.Effect<void> = Effect.void) =>
  Effect.flatMap(SampleArchives, ({ write }) => Effect.andThen(before, write)).pipe(
    Effect.provide(SampleArchives.layer(archives).pipe(Layer.provide(Imports.layer))),
  )

it.live("writes an empty archive once, as of noon, and leaves an archive with matches alone", () =>
  Effect.gen(function* () {
    const empty = recording("one", Effect.succeed(true))
    const filled = recording("two", Effect.succeed(false))
    yield* start([filled.archive, empty.archive])
    yield* start([filled.archive, empty.archive])
    assert.strictEqual(empty.writes.length, 1)
    assert.strictEqual((empty.writes[0] ?? 0) % DAY_MS, DAY_MS / 2)
    assert.deepStrictEqual(filled.writes, [])
  }).pipe(Effect.provide(embeddedMemory)),
)

it.live("writes an archive that gets its first match between the start and the writing", () =>
  Effect.gen(function* () {
    let hasMatches = false
    const { archive, writes } = recording(
      "one",
      Effect.sync(() => !hasMatches),
    )
    yield* start(
      [archive],
      Effect.sync(() => {
        hasMatches = true
      }),
    )
    assert.strictEqual(writes.length, 1)
  }).pipe(Effect.provide(embeddedMemory)),
)

it.live("continues after a failure with the same day, and writes the next archive", () =>
  Effect.gen(function* () {
    const first = recording("one", Effect.succeed(true), 1)
    const second = recording("two", Effect.succeed(true))
    yield* start([first.archive, second.archive])
    assert.strictEqual(first.writes.length, 2)
    assert.strictEqual(first.writes[0], first.writes[1])
    assert.strictEqual(second.writes.length, 1)
  }).pipe(Effect.provide(embeddedMemory)),
)

it.live("knows which archives are not complete yet", () =>
  Effect.gen(function* () {
    const seen: Array<ReadonlyArray<string>> = []
    const lines: Array<string> = []
    const log = Logger.make(({ message }) => void lines.push(String(message)))
    const [first, full, second] = [Effect.succeed(true), Effect.succeed(false), Effect.succeed(true)].map(
      (isEmpty, index) => recording(["one", "two", "three"][index] ?? "", isEmpty).archive,
    )
    assert(first !== undefined && full !== undefined && second !== undefined)
    yield* Effect.gen(function* () {
      const { unfinished, write } = yield* SampleArchives
      seen.push(unfinished())
      yield* write
      seen.push(unfinished())
    }).pipe(
      Effect.provide(
        SampleArchives.layer([
          first,
          full,
          { ...second, write: () => Effect.fail(new StoreError({ operation: "test", cause: "away" })) },
        ]).pipe(Layer.provide(Imports.layer), Layer.merge(Logger.layer([log]))),
      ),
    )
    // An archive that could not be written stays incomplete.
    assert.deepStrictEqual(seen, [["one", "three"], ["three"]])
    assert.isTrue(
      lines.some((line) => /^the sample archive of one is complete after \d+(?:\.\d)? s \(1 of 2\)$/u.test(line)),
      lines.join("\n"),
    )
  }).pipe(Effect.provide(embeddedMemory)),
)
