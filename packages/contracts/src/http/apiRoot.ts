/**
 * The root path of the API, and the header that contains the API key. This module does not depend on Effect at run
 * time.
 */

/** The root path of the API. Every path in the contracts is relative to it. */
export const API_ROOT = "/api/v1"

export const API_KEY_HEADER = "x-api-key"
