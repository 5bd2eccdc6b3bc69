/**
 * Site whose team numbers are used by both the results and the team pages. Team 4411 in one of them is team 4411 in the
 * other.
 */
export const HLTV = "hltv"
