const ms = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint`

/** Columns of a `StoredSubscription` from the subscription `s`. */
export const subscriptionColumns = `
  s.subscription_id::text AS "subscriptionId", s.url, s.description, s.events, s.games, s.match_ids AS "matchIds",
  s.team_ids AS "teamIds", s.player_ids AS "playerIds", s.max_per_second AS "maxPerSecond", s.status,
  s.status_reason AS "statusReason", s.secret, ${ms("s.previous_secret_until")} AS "previousSecretUntil",
  ${ms("s.failing_since")} AS "failingSince", s.failed_attempts AS "failedAttempts", s.last_error AS "lastError",
  (SELECT coalesce(sum(l.pending), 0)::bigint FROM webhook_lanes l WHERE l.subscription_id = s.subscription_id) AS pending,
  ${ms("s.created_at")} AS "createdAt", ${ms("s.changed_at")} AS "changedAt"`
