import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOwner, script } from '../db/owner.ts'
import type { AuditFields, Origin } from '../db/port.ts'
import { json, sql } from '../db/sql.ts'
import { openWorld, sealAll, tenantA, type World } from '../testing/event-world.ts'
import { areGenuine, conceal, type OpeningRow, openingRows, revealed } from './personal.ts'
import { type AuditEntryRow, auditEntry } from './tables.ts'
import { type ChainVerifier, createChainVerifier } from './verify.ts'

const ada = '0190c000-0000-7000-8000-0000000000ad'
const bob = '0190c000-0000-7000-8000-0000000000b0'

let world: World
let chain: ChainVerifier

beforeAll(async () => {
  world = await openWorld()
  chain = createChainVerifier({ db: world.db, clock: world.clock, keys: { verify: () => false } })
})
beforeEach(() => tamper('truncate audit_entry, audit_personal, audit_pending, audit_seal'))
afterAll(() => world.close())

const tamper = (text: string): Promise<unknown> => asOwner(world.driver, (run) => run(script(text)))

interface Stored {
  readonly entry: AuditEntryRow
  readonly openings: readonly OpeningRow[]
}

async function recorded(fields: AuditFields, origin: Partial<Origin> = {}): Promise<Stored> {
  await world.db.tenant({ tenantId: tenantA, origin }, (tx) => tx.audit('case.change', fields))
  const [entry] = await world.db.read(
    tenantA,
    sql<AuditEntryRow>`select ${auditEntry.columns} from audit_entry order by id desc limit 1`,
  )
  if (entry === undefined) throw new Error('nothing was recorded')
  return { entry, openings: await world.db.read(tenantA, openingRows([entry.id])) }
}

/** Which values an entry tells. Each holds a character that no digest and no id has, so that chance writes none of them. */
const told = (entry: AuditEntryRow, values: readonly string[]): string[] => {
  const text = JSON.stringify(entry)
  return values.filter((value) => text.includes(value))
}

const change: AuditFields = {
  target: `user:${ada}`,
  before: { email: 'ada@a.example', status: 'active', role_ids: [bob], logins: 3 },
  after: {
    email: 'ada@b.example',
    status: 'suspended',
    phones: [{ type: 'work', value: '+44 20' }],
    at: '2026-03-01T12:00:00.000Z',
  },
  reason: 'Ada asked for it',
}

describe('what an entry says about its subject', () => {
  test('is beside it: text is, our own words, ids, times and counts are not', async () => {
    const { entry, openings } = await recorded(change)
    expect(told(entry, ['ada@', 'Ada asked', '+44 20'])).toEqual([])
    expect(entry).toMatchObject({
      before: { status: 'active', role_ids: [bob], logins: 3 },
      after: { status: 'suspended' },
    })
    expect(entry.after).toMatchObject({ phones: [{ type: 'work' }], at: '2026-03-01T12:00:00.000Z' })
    expect(openings).toHaveLength(1)
    expect(revealed(entry, openings)).toMatchObject({
      before: change.before,
      after: change.after,
      reason: change.reason,
    })
  })

  test('is nothing when it is about a thing', async () => {
    const { entry, openings } = await recorded({ target: 'case:1', after: { name: 'A case' }, reason: 'because' })
    expect(entry).toMatchObject({ after: { name: 'A case' }, reason: 'because' })
    expect(openings).toEqual([])
  })

  test('is of whom the caller names', async () => {
    const { entry, openings } = await recorded(
      { target: 'key:1', about: ada, from: bob, after: { name: 'of Ada' } },
      { ip: '192.0.2.9' },
    )
    expect(told(entry, ['of Ada', '192.0.2.9'])).toEqual([])
    expect(openings.map(({ opened }) => opened)).toEqual([{ '/after/name': 'of Ada' }, { '/ip': '192.0.2.9' }])
  })

  test('finds its way back through names that JSON pointers have to escape', async () => {
    const after = { 'a/b': { '~c': 'x' }, __proto__x: ['y'] }
    const { entry, openings } = await recorded({ target: `user:${ada}`, after })
    expect(revealed(entry, openings).after).toEqual(after)
  })
})

describe('a chain', () => {
  test('is good before and after a person is erased', async () => {
    const { entry } = await recorded(change, { ip: '192.0.2.9', userAgent: 'curl' })
    await recorded({ target: 'case:1' })
    await sealAll(world)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true, entries: 2 })
    await world.db.tenant({ tenantId: tenantA }, (tx) =>
      tx.execute(sql`delete from audit_personal where subject_id = ${ada}`),
    )
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true, entries: 2 })
    expect(await chain.entry(tenantA, entry.id)).toMatchObject({ ok: true })
  })

  test.each([
    ['another value', { '/before/email': 'eve@a.example' }],
    ['a value for another place', { '/after/email': 'ada@a.example' }],
    ['a value where nothing was', { '/before/phone': 'x' }],
  ])('shows %s beside an entry', async (_, opened) => {
    const { entry } = await recorded(change)
    await sealAll(world)
    await world.db.tenant({ tenantId: tenantA }, (tx) =>
      tx.execute(sql`update audit_personal set opened = ${json(opened)}::jsonb where entry_id = ${entry.id}`),
    )
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason: 'hash', firstBadSeq: 1 })
    expect(await chain.entry(tenantA, entry.id)).toMatchObject({ ok: false })
  })
})

test('the same value is never the same commitment twice, so that entries cannot be matched with guesses', async () => {
  const [one, two] = [await recorded(change), await recorded(change)]
  expect((one.entry.before as { email: string }).email).not.toBe((two.entry.before as { email: string }).email)
  expect(areGenuine(one.entry, one.openings)).toBe(true)
  expect(areGenuine(one.entry, two.openings)).toBe(false)
})

test('costs no salt where there is nothing to hide', () => {
  const entry = { before: null, after: { a: 'b' }, reason: null, ip: null, user_agent: null } as AuditEntryRow
  const none = (): never => {
    throw new Error('no salt was to be made')
  }
  expect(conceal(entry, { actor: bob, subject: null }, none).personal).toEqual([])
})
