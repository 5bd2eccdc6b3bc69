/** Values that distinguish rows of the simulated tours from rows of a real archive. */

/** Value of `date_source` of simulated matches, and source of the simulated tours in the progress of imports. */
export const SIMULATED = "simulator"

/** Simulated players have this number and the following ones. The files of a real archive have lower numbers. */
export const FIRST_SIMULATED_PLAYER = 900_001
