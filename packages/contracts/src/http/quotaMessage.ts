/** The message of a used-up monthly quota, which the client also writes itself. Needs no Effect at run time. */

/** `resetsAt`: start of the next month, ISO 8601 in UTC. */
export const quotaMessage = (allowed: number, resetsAt: string): string =>
  `the monthly quota of ${allowed} requests is used up; it resets at ${resetsAt}, and a higher plan has a larger quota`
