/** Which fields of the scoreboard each kind of feed leaves null at some time while a map is on, and nothing else may. Data only. */
export const unavailableByFormat: Readonly<Record<string, ReadonlyArray<string>>> = {}
