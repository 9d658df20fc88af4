/**
 * The two counters as scripts: each runs as one atomic step on the server and does what log.ts and ring.ts do.
 * KEYS[1] the key; ARGV limit, window ms, cost, 1 to take or 0 to peek, now in ms or '' for the server's clock.
 * Answer: allowed (1 or 0), units used, reset at ms, retry after ms.
 */

const readArguments = `
local key = KEYS[1]
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local taking, now = ARGV[4] == '1', tonumber(ARGV[5])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local kind = redis.call('TYPE', key).ok
`

/** The exact log: a list of time stamps, oldest first. */
export const logScript = `${readArguments}
local carried = 0
if kind == 'hash' then
  carried = tonumber(redis.call('HGET', key, 't') or '0')
elseif kind == 'list' then
  local latest = tonumber(redis.call('LINDEX', key, -1))
  if latest - now > window then carried = redis.call('LLEN', key)
  elseif latest > now then now = latest end
end
if carried > 0 then
  redis.call('DEL', key)
  for unit = 1, math.min(carried, limit) do redis.call('RPUSH', key, now) end
  redis.call('PEXPIRE', key, window)
elseif kind == 'hash' then
  redis.call('DEL', key)
end
local oldest = redis.call('LINDEX', key, 0)
while oldest and now - tonumber(oldest) >= window do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end
local used = redis.call('LLEN', key)
local allowed = used + cost <= limit
if allowed and taking and cost > 0 then
  for unit = 1, cost do redis.call('RPUSH', key, now) end
  redis.call('PEXPIRE', key, window)
  used = used + cost
end
local reset, wait = now, 0
if used > 0 then reset = tonumber(redis.call('LINDEX', key, -1)) + window end
if not allowed then
  wait = window
  if cost <= limit then wait = tonumber(redis.call('LINDEX', key, used + cost - limit - 1)) + window - now end
end
return { allowed and 1 or 0, used, reset, wait }
`

/** The ring of 61 slots: one hash with the slots 0..60, w slot length, n newest slot, c slot last charged, t total. */
export const ringScript = `${readArguments}
local width = math.ceil(window / 60)
local slot = math.floor(now / width)
local total, newest, charged, stored = 0, slot, slot, false
if kind == 'list' then
  total = redis.call('LLEN', key)
elseif kind == 'hash' then
  local head = redis.call('HMGET', key, 'w', 'n', 'c', 't')
  total = tonumber(head[4])
  if tonumber(head[1]) == width and (tonumber(head[2]) - slot) * width <= window then
    stored, newest, charged = true, tonumber(head[2]), tonumber(head[3])
  end
end
if not stored then
  if kind ~= 'none' then redis.call('DEL', key) end
  total = math.min(total, limit)
  if total > 0 then
    redis.call('HSET', key, 'w', width, 'n', slot, 'c', slot, 't', total, slot % 61, total)
    redis.call('PEXPIRE', key, window + width)
  end
elseif slot > newest then
  local passed = {}
  for step = 0, math.min(slot - newest, 61) - 1 do passed[#passed + 1] = (slot - step) % 61 end
  for _, units in ipairs(redis.call('HMGET', key, unpack(passed))) do
    if units then total = total - tonumber(units) end
  end
  redis.call('HDEL', key, unpack(passed))
  newest = slot
  redis.call('HSET', key, 'n', newest, 't', total)
end
local allowed = total + cost <= limit
if allowed and taking and cost > 0 then
  total = total + cost
  charged = newest
  redis.call('HINCRBY', key, newest % 61, cost)
  redis.call('HSET', key, 'w', width, 'n', newest, 'c', charged, 't', total)
  redis.call('PEXPIRE', key, window + width)
end
local reset, wait = now, 0
if total > 0 then reset = (charged + 61) * width end
if not allowed then
  wait = window
  if cost <= limit then
    local order = {}
    for back = 60, 0, -1 do order[#order + 1] = (newest - back) % 61 end
    local left = total + cost - limit
    for index, units in ipairs(redis.call('HMGET', key, unpack(order))) do
      if units then left = left - tonumber(units) end
      if left <= 0 then
        wait = (newest + index) * width - now
        break
      end
    end
  end
end
return { allowed and 1 or 0, total, reset, wait }
`
