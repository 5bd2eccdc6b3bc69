/**
 * Laws that every adapter must satisfy for any input: its facts match the contract, repeated input adds no facts, and
 * after a crash at any point the facts from FEED restore it to give the same facts.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Adapter, type AdapterContext, contextFrom } from "../../../src/feed/adapters/Adapter.ts"
import { createdEvent, type Recorded } from "../../../src/feed/adapters/Recording.ts"
import { matchId } from "../../../src/rules/ids.ts"
import { FeedEvent } from "../../../src/rules/live/feedEvents.ts"

const match = matchId(4711)
const decode = Schema.decodeUnknownEffect(Schema.Array(FeedEvent))
/** A position in a recording, in thousandths. Integers, because generated fractions accumulate near zero. */
const Position = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))

export const adapterLaws = <Input, Memory>(options: {
  readonly name: string
  readonly adapter: Adapter<Input, Memory>
  readonly recorded: () => Recorded<Input>
  /** Runs per property. Long recordings are folded once per run. */
  readonly runs: number
}): void => {
  const { adapter, name, runs } = options
  const begin = (recorded: Recorded<Input>): { history: Array<FeedEvent>; context: AdapterContext<Memory> } => {
    const history: Array<FeedEvent> = [createdEvent(match, recorded.created, recorded.inputs[0]?.at ?? 0)]
    const context = contextFrom(adapter, history)
    if (context === undefined) throw new Error("the first fact of a match creates it")
    return { history, context }
  }

  /** Returns all facts of the adapter. `disturb` may change the context before input `index`. */
  const feedLines = (
    recorded: Recorded<Input>,
    disturb?: (at: { index: number; history: ReadonlyArray<FeedEvent>; context: AdapterContext<Memory> }) => AdapterContext<Memory>,
  ) => {
    let { context, history } = begin(recorded)
    for (const [index, { at, input }] of recorded.inputs.entries()) {
      context = disturb?.({ index, history, context }) ?? context
      const step = adapter.step(context, input, at)
      context = step.context
      history.push(...step.events)
    }
    return { history, context }
  }

  /** Returns the index of the input at a position of the recording. */
  const indexAt = (recorded: Recorded<Input>, place: number) =>
    Math.min(recorded.inputs.length - 1, Math.floor((place / 1_000) * recorded.inputs.length))

  describe(name, () => {
    const recorded = options.recorded()
    const plain = feedLines(recorded)

    it.effect("produces facts that match the contract", () =>
      Effect.gen(function* () {
        assert.isAbove(plain.history.length, 10)
        assert.deepStrictEqual(yield* decode(plain.history), plain.history)
      }),
    )

    it.effect("gives each fact a unique id", () =>
      Effect.sync(() => assert.strictEqual(new Set(plain.history.map((event) => event.id)).size, plain.history.length)),
    )

    it.effect("adds no facts when every input is sent twice", () =>
      Effect.sync(() => {
        const twice = feedLines(recorded, ({ index, context }) => {
          const before = recorded.inputs[index - 1]
          if (before === undefined) return context
          const again = adapter.step(context, before.input, before.at)
          assert.deepStrictEqual(again.events, [])
          return again.context
        })
        assert.deepStrictEqual(twice.history, plain.history)
      }),
    )

    it.effect.prop(
      "adds no facts when earlier inputs are sent again",
      [Position, Position],
      ([where, from]) =>
        Effect.sync(() => {
          const stop = indexAt(recorded, where)
          const start = Math.floor((from / 1_000) * stop)
          const resent = feedLines(recorded, ({ index, context }) => {
            if (index !== stop) return context
            return recorded.inputs.slice(start, stop).reduce((now, { at, input }) => {
              const again = adapter.step(now, input, at)
              assert.deepStrictEqual(again.events, [])
              return again.context
            }, context)
          })
          assert.deepStrictEqual(resent.history, plain.history)
        }),
      { arbitrary: { runs } },
    )

    it.effect.prop(
      "produces the same facts after a restart at any point",
      [Schema.Array(Position).check(Schema.isMinLength(1), Schema.isMaxLength(4))],
      ([points]) =>
        Effect.sync(() => {
          const restarts = new Set(points.map((point) => indexAt(recorded, point)))
          const restarted = feedLines(recorded, ({ index, context, history }) =>
            restarts.has(index) ? (contextFrom(adapter, history) ?? context) : context,
          )
          assert.deepStrictEqual(restarted.history, plain.history)
          assert.deepStrictEqual(restarted.context.state, plain.context.state)
        }),
      { arbitrary: { runs } },
    )
  })
}
