/** Also used by the client library, so it does not depend on Effect at run time. */

/** `resetsAt` is the start of the next month, in ISO 8601 (UTC). */
export const quotaMessage = (allowed: number, resetsAt: string): string =>
  `the monthly quota of ${allowed} requests is used up; it resets at ${resetsAt}, and a higher plan has a larger quota`
