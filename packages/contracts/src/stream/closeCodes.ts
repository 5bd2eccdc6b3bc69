/**
 * Close codes of the WebSocket. The range of a code determines what the client should do:
 * - 1000-1999: codes that the WebSocket protocol defines.
 * - 3000-3499: the client should reconnect with its own backoff.
 * - 3500-3999: the client must not reconnect until the cause has been fixed.
 */
export const closeCodes = {
  goingAway: { code: 1001, reason: "server is shutting down", reconnect: true },
  messageTooBig: { code: 1009, reason: "message too big", reconnect: false },
  internalError: { code: 1011, reason: "internal server error: connect again and resume", reconnect: true },
  slowConsumer: { code: 3008, reason: "client reads too slowly: connect again and resume after the last frame", reconnect: true },
  replayFault: { code: 3010, reason: "fault requested by the replay options", reconnect: true },
  unmetered: { code: 3011, reason: "usage cannot be metered at the moment: connect again later", reconnect: true },
  planChanged: { code: 3012, reason: "the plan of the account has changed: connect again", reconnect: true },
  tooManyBadMessages: { code: 3501, reason: "too many malformed messages", reconnect: false },
  tooManyMessages: { code: 3502, reason: "too many messages", reconnect: false },
  quotaUsedUp: { code: 3503, reason: "the monthly quota is used up: wait for the next month or choose a higher plan", reconnect: false },
  keyEnded: { code: 3504, reason: "the API key was revoked or has expired: use another key", reconnect: false },
} as const

export const shouldReconnect = (code: number): boolean => (code >= 1001 && code <= 1015 && code !== 1009) || (code >= 3000 && code < 3500)
