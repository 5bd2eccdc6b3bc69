/** Counts the outcomes of the lines of a post. Every line has exactly one. */
import type { FeedLines } from "@matchpoint/contracts/http/feed/FactsApi"

/** `rule` names the reason why a line is irrelevant. */
export type LineOutcome =
  | { readonly _tag: "Understood" }
  | { readonly _tag: "Irrelevant"; readonly rule: string }
  | { readonly _tag: "Repeated" }
  | { readonly _tag: "Reported" }

export class LineCounter {
  private understood = 0
  private repeated = 0
  private reported = 0
  private readonly irrelevant = new Map<string, number>()

  add(outcome: LineOutcome, lines: number): void {
    switch (outcome._tag) {
      case "Understood":
        this.understood += lines
        return
      case "Irrelevant":
        this.irrelevant.set(outcome.rule, (this.irrelevant.get(outcome.rule) ?? 0) + lines)
        return
      case "Repeated":
        this.repeated += lines
        return
      case "Reported":
        this.reported += lines
        return
    }
  }

  get counts(): FeedLines {
    const { irrelevant, repeated, reported, understood } = this
    return { understood, repeated, reported, irrelevant: Object.fromEntries(irrelevant) }
  }
}
