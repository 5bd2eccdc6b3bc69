/** The model `TennisPlayerRef` of the player with this id, with the joined profile `p`, which may be missing. */
export const playerRefText = (id: string, p: string): string => `json_build_object(
    'id', ${id}, 'name', NULLIF(concat_ws(' ', ${p}.first_name, ${p}.last_name), ''), 'country', ${p}.country)`
