import type { Progress } from "./playInto.ts"

/** `41 %  de_mirage round 12  North 7:4 South  1,234 facts, 321/s`. The recording provides the description of the match. */
export const progressLine = ({ share, step, taken }: Progress, seconds: number): string => {
  const pace = Math.round(taken / Math.max(seconds, 0.001))
  return `${`${Math.round(100 * share)} %`.padStart(5)}  ${step?.line() ?? "nothing yet"}  ${count(taken)} facts, ${count(pace)}/s`
}

const count = (value: number): string => value.toLocaleString("en")
