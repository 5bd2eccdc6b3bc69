/**
 * Name of the site whose team numbers appear in both the results and the team pages. Because the issuer is the same,
 * number 4411 means the same team in both.
 */
export const HLTV = "hltv"
