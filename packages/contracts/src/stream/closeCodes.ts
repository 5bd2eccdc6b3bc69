/**
 * Close codes of the WebSocket. The range says what to do: 1000-1999 are the protocol's own; 3000-3499 reconnect (after the
 * backoff of your client); 3500-3999 don't, something must change first.
 */
export const closeCodes = {
  goingAway: { code: 1001, reason: "server is shutting down", reconnect: true },
  messageTooBig: { code: 1009, reason: "message too big", reconnect: false },
  internalError: { code: 1011, reason: "something went wrong on our side", reconnect: true },
  slowConsumer: { code: 3008, reason: "too slow: resume from your last frame", reconnect: true },
  replayFault: { code: 3010, reason: "a fault you asked for", reconnect: true },
  unmetered: { code: 3011, reason: "usage cannot be metered at the moment: connect again", reconnect: true },
  planChanged: { code: 3012, reason: "your plan has changed: connect again under its terms", reconnect: true },
  tooManyBadMessages: { code: 3501, reason: "too many malformed messages", reconnect: false },
  tooManyMessages: { code: 3502, reason: "too many messages", reconnect: false },
  quotaUsedUp: { code: 3503, reason: "the month's requests are used up: wait for the next month or take a higher plan", reconnect: false },
  keyEnded: { code: 3504, reason: "the API key was revoked or has expired: use another one", reconnect: false },
} as const

export const shouldReconnect = (code: number): boolean => (code >= 1001 && code <= 1015 && code !== 1009) || (code >= 3000 && code < 3500)
