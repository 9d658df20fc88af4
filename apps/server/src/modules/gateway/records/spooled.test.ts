import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGroupCommit } from '../../../kernel/commits/group-commit.ts'
import { createRandom } from '../../../kernel/crypto/random.ts'
import { isUnavailable } from '../../../kernel/db/errors.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { createSpools } from '../../../kernel/spool/spools.ts'
import { createFakeClock } from '../../../kernel/testing/fake-clock.ts'
import type { CallRecord } from './call-record.ts'
import { createCallSpool } from './spooled.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-calls-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const record = (id: string, mayWait = true) =>
  ({ mayWait, audit: { id, tenant_id: 't' }, payload: { sealed: Buffer.from(id) } }) as unknown as CallRecord

/** A process whose database can be down, and that keeps the records it is given. */
function process(stored: CallRecord[]) {
  const clock = createFakeClock()
  const state = { away: false, asked: 0, loseAnswer: false }
  const append = async (records: readonly CallRecord[]) => {
    state.asked += 1
    if (state.away) throw apiErrors.unavailable({ what: 'The database is away.' })
    stored.push(...records)
    if (state.loseAnswer) throw apiErrors.unavailable({ what: 'The database is away.' })
  }
  const spool = createCallSpool(
    {
      clock,
      config: { gatewaySpoolBytes: 1_000_000 },
      health: { add: () => undefined },
      log: { warn: () => undefined, error: () => undefined },
      db: { system: async () => stored.map(({ audit }) => ({ id: audit.id })) },
      spools: createSpools({
        folder,
        platformKeys: { derive: () => Buffer.alloc(32, 5) },
        random: createRandom(Date.now),
      }),
    } as unknown as Parameters<typeof createCallSpool>[0],
    append,
  )
  const commits = createGroupCommit<CallRecord>({ flush: spool.store, isOutage: isUnavailable, waitingRoom: spool })
  return { ...spool, clock, state, add: commits.add }
}

const idsOf = (records: readonly CallRecord[]): string[] => records.map(({ audit }) => audit.id)

test('what may wait is stored when the database is back; what may not is refused', async () => {
  const stored: CallRecord[] = []
  const { activity, add, clock, state } = process(stored)
  await activity.start()
  state.away = true
  const results = await Promise.allSettled([add(record('a')), add(record('b', false)), add(record('c'))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  state.away = false
  await expect
    .poll(() => {
      clock.advance(1_000)
      return idsOf(stored)
    })
    .toEqual(['a', 'c'])
  expect(stored[0]?.payload?.sealed).toEqual(Buffer.from('a'))
  await activity.stop()
})

test('what waited when the process ended is stored by the next one, before nothing else is asked', async () => {
  const stored: CallRecord[] = []
  const first = process(stored)
  await first.activity.start()
  first.state.away = true
  await first.add(record('a'))
  await first.activity.stop()
  const second = process(stored)
  await second.activity.start()
  await expect.poll(() => idsOf(stored)).toEqual(['a'])
  await second.activity.stop()
})

test('a commit that took effect though its answer was lost is not made again', async () => {
  const stored: CallRecord[] = []
  const { activity, add, clock, state } = process(stored)
  await activity.start()
  state.loseAnswer = true
  await add(record('a'))
  state.loseAnswer = false
  await add(record('b'))
  clock.advance(5_000)
  await activity.stop()
  const next = process(stored)
  await next.activity.start()
  await next.activity.stop()
  expect(idsOf(stored)).toEqual(['a', 'b'])
})

test('for a second after a failure nobody waits for the database, and then it is asked again', async () => {
  const { activity, add, clock, state } = process([])
  await activity.start()
  state.away = true
  await add(record('a'))
  const asked = state.asked
  await add(record('b'))
  expect(state.asked).toBe(asked)
  // A call that may not be spooled still asks the database.
  await expect(add(record('c', false))).rejects.toThrow()
  expect(state.asked).toBe(asked + 1)
  clock.advance(1_001)
  await add(record('d'))
  expect(state.asked).toBeGreaterThan(asked + 1)
  await activity.stop()
})

test('when the disk takes no more, the call is refused', async () => {
  const { activity, add, state } = process([])
  await activity.start()
  state.away = true
  const large = { ...record('large'), payload: { sealed: Buffer.alloc(2_000_000) } } as unknown as CallRecord
  await expect(add(large)).rejects.toThrow('takes no more')
  await add(record('small'))
  await activity.stop()
})
