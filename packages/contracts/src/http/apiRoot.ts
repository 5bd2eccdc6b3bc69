/** Does not depend on Effect at run time. */

/** Every path in the contracts is relative to it. */
export const API_ROOT = "/api/v1"

export const API_KEY_HEADER = "x-api-key"
