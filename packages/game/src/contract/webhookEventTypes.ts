/** Events of a game's matches that customers receive as webhooks. */
import type { genericEventNames } from "@matchpoint/contracts/webhook/webhookEvents"
import { Schema } from "effect"

type GenericEventName = (typeof genericEventNames)[number]

export interface EventType<Data extends Schema.Top> {
  /** One sentence for customers: the change that causes the event. */
  readonly description: string
  /** Event with the same `data` that all games share, or null. */
  readonly generic: GenericEventName | null
  readonly data: Data
}

/** By name. An event occurs at most once per change of a match. */
export type EventTypes = Readonly<Record<string, EventType<Schema.Top & { readonly Type: Schema.JsonObject }>>>

export type DataOf<Types extends EventTypes, Name extends keyof Types> = Types[Name]["data"]["Type"]

export const event = <Data extends Schema.Top>(data: Data, generic: GenericEventName | null, description: string): EventType<Data> => ({
  description,
  generic,
  data,
})

export const namesOf = <Types extends EventTypes>(types: Types): ReadonlyArray<keyof Types & string> => Object.keys(types)

const Count = Schema.Natural

/** Name the change of a match in the `data` of its events. */
export const changeFields = {
  epoch: Count.annotate({ description: "With `seq`, the position of the change in the match's frames" }),
  seq: Count.annotate({ description: "Number of the change in its epoch. The event with the higher `seq` is newer" }),
} as const
