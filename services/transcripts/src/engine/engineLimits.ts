import { stat } from "node:fs/promises"
import { Effect } from "effect"
import type { SandboxLimits } from "../sandbox/Sandbox.ts"
import { TranscriptionUnavailable } from "../TranscribeFailure.ts"

export interface EngineOptions {
  readonly weights: string
  readonly threads: number
}

/**
 * Memory is four times the weights plus 4 GB: weights, buffers for one window, and a heap. There is no limit of CPU
 * time, because the process lives long; each window has a timeout.
 */
export const engineLimits = ({ weights }: EngineOptions): Effect.Effect<SandboxLimits, TranscriptionUnavailable> =>
  Effect.tryPromise({
    try: () => stat(weights),
    catch: () => new TranscriptionUnavailable({ detail: `The weights ${weights} cannot be read.` }),
  }).pipe(Effect.map(({ size }) => ({ memoryBytes: 4 * size + 4 * 1024 ** 3, fileBytes: 1024 ** 2 })))
