/** Rules by which lines are irrelevant, if several modules use them. */

/** Lines about bots, spectators, coaches and others who do not play in the match. */
export const NOT_A_PLAYER = "not_a_player"

/** Lines about a warmup, the time between maps, or another map. */
export const NOT_IN_PLAY = "not_in_play"
