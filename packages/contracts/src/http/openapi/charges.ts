/**
 * Cost of an endpoint and the plans that include it, as text and as an OpenAPI extension. Derived from the table of
 * plans and the annotations of the endpoints, by which the gateway also bills.
 */
import { AddOn, type Feature, type Game, Plan, plansSelling, plansWith, planTerms } from "@matchpoint/domain/plans"
import { Context, Option, Schema } from "effect"
import { Free, Needs, OnDelivery, Section } from "../Metering.ts"

/** `requests`: for each response with data. `stream`: when the stream is opened, and for each interval that it stays open. */
export type Billing = "requests" | "stream"

/** Seconds for which an open stream costs one request. */
const STREAM_INTERVAL_SECONDS = 15

export interface Charges {
  /** Markdown that is appended to the endpoint's description. */
  readonly text: string
  readonly metering: {
    readonly requests: number
    readonly everySeconds: number | null
    readonly section: Game | null
    readonly feature: Feature | null
    readonly plans: ReadonlyArray<Plan>
    readonly addOnOf: ReadonlyArray<Plan>
  }
}

/** `annotations` are those of the endpoint merged with those of its group. */
export const chargesOf = (annotations: Context.Context<never>, billing: Billing): Charges => {
  const section = Option.getOrNull(Context.getOption(annotations, Section))
  const feature = Option.getOrNull(Context.getOption(annotations, Needs))
  const isFree = Option.isSome(Context.getOption(annotations, Free))
  const isOnDelivery = Option.isSome(Context.getOption(annotations, OnDelivery))
  const plans = feature === null ? Plan.literals : plansWith(feature)
  const addOnOf = isAddOn(feature) ? plansSelling(feature) : []
  return {
    text: [
      `**Cost**: ${isFree ? free : isOnDelivery ? onDelivery : costs[billing]}`,
      `**Plans**: ${plansText(plans, section, feature, addOnOf)}`,
    ].join("\n\n"),
    metering: {
      requests: isFree ? 0 : 1,
      everySeconds: billing === "stream" ? STREAM_INTERVAL_SECONDS : null,
      section,
      feature,
      plans,
      addOnOf,
    },
  }
}

const isAddOn = Schema.is(AddOn)

const free = "nothing."
const onDelivery = "1 request for the first response with the transcript. Other responses and repeats cost nothing."
const costs: Readonly<Record<Billing, string>> = {
  requests: "1 request.",
  stream: `1 request on connect and 1 for every ${STREAM_INTERVAL_SECONDS} seconds that the stream stays open (${86_400 / STREAM_INTERVAL_SECONDS} a day). A rejected connect costs nothing.`,
}

const plansText = (plans: ReadonlyArray<Plan>, section: Game | null, feature: Feature | null, addOnOf: ReadonlyArray<Plan>): string => {
  const named = plans.length === Plan.literals.length ? "all" : plans.join(", ")
  const bought = addOnOf.length === 0 ? "" : `, or with the add-on \`${feature}\` (sold with ${addOnOf.join(" and ")})`
  const ofOneGame = plans.filter((plan) => planTerms[plan].games === "one")
  const chosen = section === null || ofOneGame.length === 0 ? "" : `; ${ofOneGame.join(", ")} if its chosen game is \`${section}\``
  return `${named}${bought}${chosen}.`
}
