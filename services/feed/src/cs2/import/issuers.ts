/**
 * Issuer of the team numbers in both the results and the team pages. Because the issuer is the same, team 4411 in the
 * results is team 4411 in the team pages.
 */
export const HLTV = "hltv"
