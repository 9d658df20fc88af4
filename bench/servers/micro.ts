/** Operations in one process, measured in turns so that a busy machine is busy for all of them. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { createAuth } from '../../apps/server/src/kernel/auth/authenticate.ts'
import { handFeed, memorySigningKeys } from '../../apps/server/src/kernel/auth/testing/fakes.ts'
import { createTokens } from '../../apps/server/src/kernel/auth/tokens.ts'
import { systemClock } from '../../apps/server/src/kernel/base/clock.ts'
import { createRandom } from '../../apps/server/src/kernel/crypto/random.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { parseBody } from '../../apps/server/src/kernel/http/body/json-body.ts'
import { createCursors } from '../../apps/server/src/kernel/http/cursor.ts'
import { createPlatformKeys } from '../../apps/server/src/kernel/keys/platform-keys.ts'
import { createMemoryLimiter } from '../../apps/server/src/kernel/limits/adapters/memory.ts'
import { answerUsage } from '../usage.mjs'
import { everybody } from './everybody.ts'

const clock = systemClock()
const random = createRandom(clock.now)
const keys = memorySigningKeys()
const platformKeys = createPlatformKeys(random.bytes(32))
const publicUrl = 'http://127.0.0.1:8080'
const tenantId = random.uuid() as TenantId
const tokens = createTokens({ keys, clock, random, publicUrl })

async function authentication() {
  const changes = handFeed()
  const none = {
    query: async () => [],
    first: async () => null,
    execute: async () => 0,
    lock: async () => {},
    afterCommit: () => {},
  }
  const db = { system: <T>(_reason: string, work: (tx: typeof none) => Promise<T>) => work(none) }
  const parts = { db, keys, platformKeys, clock, random, changes, publicUrl }
  const auth = createAuth({ ...parts, identity: () => everybody, failed: () => undefined })
  await auth.start()
  const { token } = await auth.signAccess({
    sub: random.uuid(),
    tid: tenantId,
    sid: random.uuid(),
    role: 'bench',
    permissions: ['risk:admin'],
    auth_time: 0,
    amr: ['pwd'],
    acr: '1',
  })
  const request = { authorization: `Bearer ${token}`, apiKey: undefined, tenantHeader: undefined, ip: '127.0.0.1' }
  await auth.authenticate(request)
  return { auth, token, request }
}

const { auth, token, request } = await authentication()
const known = new Map([[token, { permissions: 1 }]])
const limiter = createMemoryLimiter({ now: clock.now })
const counters = new Map<string, number>()
const cursors = createCursors(platformKeys)
const scope = { tenantId, route: '/api/v1/risk/notes', sort: '-created_at', filters: { status: 'active' } }
const last = { value: '2026-11-20T20:00:00.000Z', id: random.uuid() }
const page = { items: [], total: 12_345, hasMore: true, last }
const cursor = cursors.encode(scope, page) ?? ''
const where = sql`status = ${'active'}`
const body = Buffer.from(
  JSON.stringify({ title: 'A note of some length', body: 'x'.repeat(300), tags: ['a', 'b', 'c'] }),
)
const plainBody = body.toString()
let turn = 0

/** The operation, its repetitions in one round, and the other entry that is its floor. */
const operations: Readonly<
  Record<string, { readonly times: number; readonly run: () => unknown; readonly floor?: string }>
> = {
  'uuid v7': { times: 200_000, run: () => random.uuid(), floor: 'node randomUUID' },
  'node randomUUID': { times: 200_000, run: () => randomUUID() },
  'node randomBytes(16)': { times: 50_000, run: () => randomBytes(16) },
  'limiter take': {
    times: 200_000,
    run: () => limiter.take(`{${turn++ & 1023}}:api`, { limit: 1_000_000_000, windowMs: 60_000 }),
    floor: 'map counter',
  },
  'map counter': {
    times: 200_000,
    run: () => {
      const key = `{${turn++ & 1023}}:api`
      counters.set(key, (counters.get(key) ?? 0) + 1)
    },
  },
  'cursor encode': { times: 20_000, run: () => cursors.encode(scope, page), floor: 'node hmac' },
  'cursor decode': { times: 20_000, run: () => cursors.decode(scope, cursor), floor: 'node hmac' },
  'node hmac': { times: 20_000, run: () => createHmac('sha256', 'key').update(cursor).digest('base64url') },
  'token known': { times: 200_000, run: () => auth.authenticate(request), floor: 'map look-up' },
  'map look-up': { times: 200_000, run: () => known.get(request.authorization.slice(7)) },
  'token new': { times: 2_000, run: () => tokens.verifyAccess(token) },
  'sql tag with a part': {
    times: 100_000,
    run: () => {
      const statement = sql`select id, title from test_note where ${where} and id > ${last.id} limit ${51}`
      return [statement.text, statement.name, statement.values]
    },
    floor: 'text and values',
  },
  'text and values': {
    times: 100_000,
    run: () => [
      'select id, title from test_note where status = $1 and id > $2 limit $3',
      'name',
      ['active', last.id, 51],
    ],
  },
  'strict body of 400 bytes': {
    times: 50_000,
    run: () => parseBody(body, { anyText: false }),
    floor: 'JSON.parse of 400 bytes',
  },
  'JSON.parse of 400 bytes': { times: 50_000, run: () => JSON.parse(plainBody) },
}

const nanoseconds: Record<string, number[]> = {}
let sink: unknown
const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
for (let round = -2; round < rounds; round += 1) {
  for (const [name, { times, run }] of Object.entries(operations)) {
    const began = process.hrtime.bigint()
    for (let time = 0; time < times; time += 1) sink = run()
    const took = Number(process.hrtime.bigint() - began) / times
    // The first rounds warm the compiler and are not counted.
    if (round >= 0) nanoseconds[name] = [...(nanoseconds[name] ?? []), took]
  }
}
if (sink === undefined) throw new Error('nothing was measured')
auth.stop()
const floors = Object.entries(operations).flatMap(([name, { floor }]) => (floor === undefined ? [] : [[name, floor]]))
answerUsage({ nanoseconds, floors })
