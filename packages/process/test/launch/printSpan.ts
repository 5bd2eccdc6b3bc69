/** A process that prints whether its spans are sampled, for `launch.test.ts`. */
import { Effect, Layer } from "effect"
import { launch } from "../../src/launch.ts"

const print = Effect.flatMap(Effect.currentSpan, ({ sampled }) =>
  Effect.sync(() => process.stdout.write(sampled ? "sampled" : "not sampled", () => process.kill(process.pid, "SIGTERM"))),
)

launch(Layer.effectDiscard(Effect.withSpan(print, "test")))
