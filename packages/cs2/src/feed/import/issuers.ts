/** Site whose team numbers appear in both the results and the team pages: the same number is the same team in both. */
export const HLTV = "hltv"
