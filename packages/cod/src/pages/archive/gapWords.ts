import type { Gaps } from "./types.ts"

const reasons: Readonly<Record<Gaps[number]["reason"], string>> = {
  no_maps: "The archive has no map for it.",
  not_recorded: "The sources do not count it. Live matches and the simulation do.",
  below_minimum_sample: "There are too few events for a value.",
  too_few_teams: "There are too few teams to compare.",
  too_few_points: "There are too few points for a trend.",
}

/** Why the value with this path is null, or null if the response states no reason. */
export const gapWords = (gaps: Gaps, field: string): string | null => {
  const gap = gaps.find((one) => one.field === field)
  return gap === undefined ? null : reasons[gap.reason]
}
