/** `source` of simulated series, players and transactions, and source of the simulated season in the imports. */
export const SIMULATED = "simulator"
