/**
 * Counts in Redis. One script call decides all claims of an exchange, by the clock of Redis. The keys of a script must
 * be on one server: a single Redis server with or without replicas, not a Redis Cluster.
 *
 * The hash `gateways` has the time of the last report of each gateway, negative if it has left. A hash per API key has
 * the counts of each gateway as `connections streams replays`. It expires after a day without a report; gateways report
 * each key several times an hour.
 */
import { FREE_WITHIN_MS, LOST_AFTER_MS, type Spending, type StreamClaim } from "@matchpoint/domain/metering/streamCounts"
import { Context, Effect, Schema } from "effect"
import { Redis } from "effect/persistence"
import { SharedCountsError, type SharedCountsPort } from "./SharedCounts.ts"

const PREFIX = "matchpoint:counts:"
const KEPT_SECONDS = 86_400

/** Epoch milliseconds instead of the clock of Redis. Set by tests. */
export const RedisTime = Context.Reference<Effect.Effect<number | null>>("@matchpoint/metering/counts/SharedCountsRedis/RedisTime", {
  defaultValue: () => Effect.succeed(null),
})

const script = Redis.script(
  (gatewayId: string, claims: ReadonlyArray<StreamClaim>, hasLeft: boolean, fixed: number | null) => [
    `${PREFIX}gateways`,
    ...claims.map(({ keyId }) => `${PREFIX}key:${keyId}`),
    gatewayId,
    JSON.stringify(claims),
    hasLeft ? "1" : "0",
    fixed === null ? "" : String(fixed),
  ],
  {
    numberOfKeys: (_gatewayId, claims) => claims.length + 1,
    lua: `
local me, claims, has_left = ARGV[1], cjson.decode(ARGV[2]), ARGV[3] == "1"
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call("TIME")
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local alive, credited, is_known = {}, {}, false
local all = redis.call("HGETALL", KEYS[1])
for n = 1, #all, 2 do
  local id, seen = all[n], tonumber(all[n + 1])
  local silent = now - math.abs(seen)
  local is_alive = seen > 0 and silent <= ${LOST_AFTER_MS}
  if id == me then
    is_known = is_alive
  elseif is_alive then
    alive[id] = true
  elseif silent <= ${FREE_WITHIN_MS} then
    credited[id] = true
  else
    redis.call("HDEL", KEYS[1], id)
  end
end
redis.call("HSET", KEYS[1], me, has_left and -now or now)

local grants = {}
for n, claim in ipairs(claims) do
  local key, held, wanted = KEYS[n + 1], claim.held, claim.wanted
  local connections, replays, credits = 0, 0, 0
  local gone = {}
  local counts = redis.call("HGETALL", key)
  for i = 1, #counts, 2 do
    local id = counts[i]
    if id ~= me then
      local c, s, r = string.match(counts[i + 1], "^(%d+) (%d+) (%d+)$")
      if alive[id] then
        connections = connections + tonumber(c)
        replays = replays + tonumber(r)
      elseif credited[id] then
        credits = credits + tonumber(s)
        table.insert(gone, { id = id, c = c, s = tonumber(s), r = r })
      else
        redis.call("HDEL", key, id)
      end
    end
  end

  connections = math.max(0, math.min(wanted.connections, claim.limit.connections - connections - held.connections))
  replays = math.max(0, math.min(wanted.replays, claim.limit.replays - replays - held.replays))
  local refused = wanted.connections - connections + wanted.replays - replays
  local free = math.max(0, math.min(claim.redeem - refused, credits))
  local left = free
  for _, one in ipairs(gone) do
    local used = math.min(left, one.s)
    if used > 0 then redis.call("HSET", key, one.id, one.c .. " " .. string.format("%d", one.s - used) .. " " .. one.r) end
    left = left - used
  end

  local c, s, r = held.connections + connections, held.streams + wanted.streams, held.replays + replays
  if c + s + r == 0 then
    redis.call("HDEL", key, me)
  else
    redis.call("HSET", key, me, string.format("%d %d %d", c, s, r))
    redis.call("EXPIRE", key, ${KEPT_SECONDS})
  end
  grants[n] = { connections, replays, free }
end

local ids = {}
for id in pairs(credited) do table.insert(ids, id) end
return cjson.encode({ is_known, #ids > 0 and ids or cjson.null, #grants > 0 and grants or cjson.null })
`,
  },
).withReturnType<string>()

/** Stores when each limit will have refilled everything; the entry expires then. */
const spendScript = Redis.script(
  (spendings: ReadonlyArray<Spending>, fixed: number | null) => [
    ...spendings.map(({ bucket }) => `${PREFIX}spent:${bucket}`),
    JSON.stringify(spendings),
    fixed === null ? "" : String(fixed),
  ],
  {
    numberOfKeys: (spendings) => spendings.length,
    lua: `
local spendings, now = cjson.decode(ARGV[1]), tonumber(ARGV[2])
if not now then
  local time = redis.call("TIME")
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local blocked = {}
for n, spending in ipairs(spendings) do
  local full_at = math.max(now, tonumber(redis.call("GET", KEYS[n]) or now)) + spending.costMs
  redis.call("SET", KEYS[n], string.format("%.0f", full_at), "PX", string.format("%.0f", math.max(1, full_at - now)))
  blocked[n] = math.floor(math.max(0, full_at - now - spending.burstMs))
end
return blocked
`,
  },
).withReturnType<ReadonlyArray<number>>()

/** Lua has no empty arrays, so null stands for one. */
const decodeAnswer = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Tuple([
      Schema.Boolean,
      Schema.NullOr(Schema.Array(Schema.String)),
      Schema.NullOr(Schema.Array(Schema.Tuple([Schema.Natural, Schema.Natural, Schema.Natural]))),
    ]),
  ),
)

export const makeSharedCountsRedis = Effect.gen(function* () {
  const redis = yield* Redis.Redis
  const time = yield* RedisTime
  const run = redis.eval(script)
  const spend = redis.eval(spendScript)

  const exchange = Effect.fnUntraced(
    function* (gatewayId: string, claims: ReadonlyArray<StreamClaim>, hasLeft: boolean) {
      const [isKnown, gone, grants] = yield* decodeAnswer(yield* run(gatewayId, claims, hasLeft, yield* time))
      return {
        isKnown,
        gone: gone ?? [],
        grants: (grants ?? []).map(([connections, replays, free]) => ({ connections, replays, free })),
      }
    },
    Effect.mapError((cause) => new SharedCountsError({ cause })),
  )

  const counts: SharedCountsPort = {
    exchange: (gatewayId, claims) => exchange(gatewayId, claims, false),
    leave: (gatewayId) => Effect.asVoid(exchange(gatewayId, [], true)),
    spend: (spendings) =>
      Effect.flatMap(time, (fixed) => spend(spendings, fixed)).pipe(Effect.mapError((cause) => new SharedCountsError({ cause }))),
  }
  return counts
})
