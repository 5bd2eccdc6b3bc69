/** Rules by which lines of a log are irrelevant, as far as several modules use them. */

/** Rule of lines about bots, spectators, coaches and others who do not play in the match. */
export const NOT_A_PLAYER = "not_a_player"

/** Rule of lines about a warmup, the time between maps, or another map. */
export const NOT_IN_PLAY = "not_in_play"
