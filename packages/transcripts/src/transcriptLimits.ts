/** The API specification does not define these limits; docs/customers/plans.md explains them. */
import type { Plan } from "@matchpoint/domain/plans"

/** Limits of one job. */
export interface TranscriptLimits {
  /** Longest video. */
  readonly maxDurationSeconds: number
  /** Maximum size of the download. */
  readonly maxBytes: number
  /** Time from the start of the download to the transcript. */
  readonly maxWallSeconds: number
}

export interface PlanTranscripts extends TranscriptLimits {
  /** Transcripts of the account in progress at the same time. */
  readonly openRequests: number
}

const MB = 1_000_000

export const transcriptLimits: Readonly<Record<Plan, PlanTranscripts>> = {
  free: { maxDurationSeconds: 180, maxBytes: 50 * MB, maxWallSeconds: 180, openRequests: 2 },
  starter: { maxDurationSeconds: 600, maxBytes: 150 * MB, maxWallSeconds: 600, openRequests: 5 },
  pro: { maxDurationSeconds: 1_800, maxBytes: 500 * MB, maxWallSeconds: 1_800, openRequests: 20 },
  business: { maxDurationSeconds: 3_600, maxBytes: 1_000 * MB, maxWallSeconds: 3_600, openRequests: 50 },
  scale: { maxDurationSeconds: 7_200, maxBytes: 2_000 * MB, maxWallSeconds: 7_200, openRequests: 200 },
  enterprise: { maxDurationSeconds: 14_400, maxBytes: 4_000 * MB, maxWallSeconds: 14_400, openRequests: 1_000 },
}
