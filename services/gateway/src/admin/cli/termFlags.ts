import type { AccountChange } from "@matchpoint/contracts/http/admin/AdminApi"
import { AddOn, Game, Plan } from "@matchpoint/domain/plans"
import { Option } from "effect"
import { Flag } from "effect/cli"

export const plan = Flag.Literals("plan", Plan.literals).pipe(Flag.withDescription("Plan"))

export const termFlags = {
  game: Flag.Literals("game", Game.literals).pipe(Flag.withDescription("Game of a single-game plan; default: cs2"), Flag.optional),
  addOns: Flag.Literals("add-on", AddOn.literals).pipe(Flag.withDescription("Add-on; may be given more than once"), Flag.atLeast(0)),
  requestsPerMonth: Flag.Int("requests-per-month").pipe(Flag.withDescription("Monthly quota; default: the plan's"), Flag.optional),
  requestsPerSecond: Flag.Int("requests-per-second").pipe(Flag.withDescription("Rate per key; default: the plan's"), Flag.optional),
}

interface TermInput {
  readonly game: Option.Option<Game>
  readonly addOns: ReadonlyArray<AddOn>
  readonly requestsPerMonth: Option.Option<number>
  readonly requestsPerSecond: Option.Option<number>
}

/** Game, add-ons, quota and rate from the flags. The server validates them. */
export const agreedOf = ({
  addOns,
  game,
  requestsPerMonth,
  requestsPerSecond,
}: TermInput): Pick<AccountChange, "addOns" | "game" | "requestsPerMonth" | "requestsPerSecond"> => ({
  ...(addOns.length === 0 ? {} : { addOns }),
  ...(Option.isNone(game) ? {} : { game: game.value }),
  ...(Option.isNone(requestsPerMonth) ? {} : { requestsPerMonth: requestsPerMonth.value }),
  ...(Option.isNone(requestsPerSecond) ? {} : { requestsPerSecond: requestsPerSecond.value }),
})
