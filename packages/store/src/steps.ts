/** The steps of long work on the database, for the progress that a user sees. */
import type { Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

/** Its name, and the number of the steps before it and of all steps. */
export interface StepBegun {
  readonly name: string
  readonly done: number
  readonly steps: number
}

export type OnStep = (step: StepBegun) => Effect.Effect<void, StoreError>
