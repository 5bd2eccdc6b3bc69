/** The site whose numbers of teams both the results and the team pages carry: what one of them calls 4411 is 4411 in the other. */
export const HLTV = "hltv"
