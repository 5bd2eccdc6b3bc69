/** States that the summaries are not complete, and what the operator can do. */
import type { SummaryProgressRow } from "../../archive/summaries/SummaryProgress.ts"

const REMEDY = "The operator completes them with the command that imported the archive, npm run import -- tennis <folder>, which continues"

/** Null if the summaries are complete. */
export const summariesMessage = ({ done, state, steps }: SummaryProgressRow): string | null => {
  const progress = steps === 0 ? "" : ` (${done} of ${steps} steps are done)`
  switch (state) {
    case "complete":
      return null
    case "outdated":
      return `The summaries of the tennis archive are older than its matches or than this version${progress}. ${REMEDY}.`
    case "missing":
      return `The summaries of the tennis archive are not computed yet${progress}. ${REMEDY}.`
  }
}
