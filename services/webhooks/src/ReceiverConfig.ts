/** Environment of the receiver for developers. */

/** Unless the flag `--secret` names another one. Undefined if not set or empty. */
export const environmentSecret: string | undefined = process.env["MATCHPOINT_WEBHOOK_SECRET"] || undefined
