/** Environment of the receiver for developers. */

/** Secret of the deliveries that arrive, unless the flag `--secret` names another one. Undefined if not set or empty. */
export const environmentSecret: string | undefined = process.env["MATCHPOINT_WEBHOOK_SECRET"] || undefined
