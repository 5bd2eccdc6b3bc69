/**
 * The error message for an exhausted monthly quota. The client library uses this function too, so this module does not
 * depend on Effect at run time.
 */

/**
 * Returns the error message. `allowed` is the quota, and `resetsAt` is the start of the next month in ISO 8601 format
 * (UTC).
 */
export const quotaMessage = (allowed: number, resetsAt: string): string =>
  `the monthly quota of ${allowed} requests is used up; it resets at ${resetsAt}, and a higher plan has a larger quota`
