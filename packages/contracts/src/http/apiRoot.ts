/** Where the API is, and how a request carries its key. Needs no Effect at run time. */

/** The API root. Every path in the contracts is relative to it. */
export const API_ROOT = "/api/v1"

export const API_KEY_HEADER = "x-api-key"
