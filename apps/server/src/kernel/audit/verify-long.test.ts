import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asOwner, script } from '../db/owner.ts'
import { sql } from '../db/sql.ts'
import { checkpointKeys } from '../testing/checkpoint-keys.ts'
import { openWorld, sealAll, tenantA, type World } from '../testing/event-world.ts'
import { genesis, sealHash } from './chain.ts'
import { signCheckpoint } from './note.ts'
import { type AuditEntryRow, auditEntry } from './tables.ts'
import { type ChainFault, type ChainVerifier, createChainVerifier } from './verify.ts'

const size = 10_000
/** Entries of one transaction; the sealer takes a thousand at a time and the walk reads two thousand. */
const together = 500

let world: World
let chain: ChainVerifier
/** Checkpoints kept outside, of half of the chain and of all of it. */
let notes: { readonly half: string; readonly whole: string }
const keys = checkpointKeys()

/** Acts of an attacker with the database owner's rights. */
const tamper = (text: string): Promise<unknown> => asOwner(world.driver, (run) => run(script(text)))
const entryAt = (seq: number): string => `(select entry_id from audit_seal where seq = ${seq})`

async function noteAt(seq: number): Promise<string> {
  const [row] = await world.db.read(tenantA, sql<{ hash: string }>`select hash from audit_seal where seq = ${seq}`)
  const facts = { tenantId: tenantA, size: seq, headHash: row?.hash ?? '', at: world.clock.iso() }
  return (await signCheckpoint(keys, facts)).note
}

beforeAll(async () => {
  world = await openWorld()
  chain = createChainVerifier({ db: world.db, clock: world.clock, keys })
  for (let first = 1; first <= size; first += together)
    await world.db.tenant({ tenantId: tenantA }, async (tx) => {
      for (let n = first; n < first + together; n += 1)
        await tx.audit('case.open', { target: `case:${n}`, after: { number: n } })
    })
  await sealAll(world)
  notes = { half: await noteAt(size / 2), whole: await noteAt(size) }
  await tamper('create table kept_entry as table audit_entry; create table kept_seal as table audit_seal')
})
afterEach(() =>
  tamper(`truncate audit_entry, audit_pending, audit_seal, audit_checkpoint;
    insert into audit_entry select * from kept_entry; insert into audit_seal select * from kept_seal`),
)
afterAll(() => world.close())

/** Makes the seals from this place on anew, so that the chain is good in itself. */
async function relinkFrom(first: number): Promise<void> {
  const rows = await world.db.read(
    tenantA,
    sql<AuditEntryRow & { seq: number; prev_hash: string }>`
      select ${auditEntry.columns}, seq, prev_hash
      from (select entry_id, seq, prev_hash from audit_seal) s join audit_entry on id = entry_id
      where seq >= ${first} order by seq`,
  )
  let prev = rows[0]?.seq === 1 ? genesis : (rows[0]?.prev_hash ?? genesis)
  const values = rows.map(({ seq, prev_hash: _prev, ...entry }) => {
    const hash = sealHash(prev, entry)
    const value = `(${seq}, '${prev}', '${hash}')`
    prev = hash
    return value
  })
  await tamper(`update audit_seal s set prev_hash = v.prev, hash = v.hash
    from (values ${values.join(', ')}) as v(seq, prev, hash) where s.seq = v.seq`)
}

const cutAbove = (seq: number): Promise<unknown> =>
  tamper(`delete from audit_entry where id in (select entry_id from audit_seal where seq > ${seq});
    delete from audit_seal where seq > ${seq}`)

const swap = (a: number, b: number): string => `
  alter table audit_seal drop constraint audit_seal_tenant_id_entry_id_key;
  update audit_seal s set entry_id = case seq when ${a} then ${entryAt(b)} else ${entryAt(a)} end where seq in (${a}, ${b});
  alter table audit_seal add constraint audit_seal_tenant_id_entry_id_key unique (tenant_id, entry_id)`

interface Verdict {
  readonly reason: ChainFault | null
  readonly at: number | null
}
const good: Verdict = { reason: null, at: null }

/** Each attack, the finding by the chain alone, and the finding against the checkpoints. */
const tamperings: readonly (readonly [string, () => Promise<unknown>, Verdict, Verdict?])[] = [
  ['nothing', async () => undefined, good],
  [
    'the last entry changed',
    () => tamper(`update audit_entry set after = '{"number": 0}' where id = ${entryAt(size)}`),
    { reason: 'hash', at: size },
  ],
  [
    'one entry changed where a batch of the sealer ends',
    () => tamper(`update audit_entry set target = 'case:x' where id = ${entryAt(7_000)}`),
    { reason: 'hash', at: 7_000 },
  ],
  [
    'an entry deleted where a page of the walk begins',
    () => tamper(`delete from audit_entry where id = ${entryAt(4_001)}`),
    { reason: 'gap', at: 4_001 },
  ],
  ['a seal deleted', () => tamper('delete from audit_seal where seq = 9999'), { reason: 'gap', at: 9_999 }],
  [
    'an entry and its seal deleted, and those behind them moved up',
    () =>
      tamper(`delete from audit_entry where id = ${entryAt(6_000)}; delete from audit_seal where seq = 6000;
        update audit_seal set seq = seq + 1000000 where seq > 6000;
        update audit_seal set seq = seq - 1000001 where seq > 1000000`),
    { reason: 'link', at: 6_000 },
  ],
  ['two entries far from each other swapped', () => tamper(swap(1_234, 8_765)), { reason: 'hash', at: 1_234 }],
  [
    'an entry changed and sealed again',
    async () => {
      await tamper(`update audit_entry set reason = 'forged' where id = ${entryAt(2_000)}`)
      const [row] = await world.db.read(
        tenantA,
        sql<AuditEntryRow & { prev_hash: string }>`
          select ${auditEntry.columns}, prev_hash
          from (select entry_id, seq, prev_hash from audit_seal) s join audit_entry on id = entry_id where seq = 2000`,
      )
      if (row === undefined) throw new Error('no such entry')
      const { prev_hash: prev, ...entry } = row
      await tamper(`update audit_seal set hash = '${sealHash(prev, entry)}' where seq = 2000`)
    },
    { reason: 'link', at: 2_001 },
  ],
  [
    'an entry put in without a seal',
    () =>
      tamper(`insert into audit_entry (tenant_id, id, at, actor_kind, action, target, result)
        values ('${tenantA}', gen_random_uuid(), now(), 'system', 'x', 'y:1', 'success')`),
    { reason: 'unsealed', at: null },
  ],
  ['the tail cut', () => cutAbove(9_990), good, { reason: 'truncated', at: 9_991 }],
  ['the second half cut', () => cutAbove(size / 2), good, { reason: 'truncated', at: size / 2 + 1 }],
  ['everything cut', () => cutAbove(0), good, { reason: 'truncated', at: 1 }],
  [
    'an entry of the second half changed and the rest sealed anew',
    async () => {
      await tamper(`update audit_entry set reason = 'forged' where id = ${entryAt(7_500)}`)
      await relinkFrom(7_500)
    },
    good,
    { reason: 'rewritten', at: size },
  ],
  [
    'the first entry changed and all sealed anew',
    async () => {
      await tamper(`update audit_entry set reason = 'forged' where id = ${entryAt(1)}`)
      await relinkFrom(1)
    },
    good,
    { reason: 'rewritten', at: size / 2 },
  ],
]

describe(`C61 a chain of ${size} entries`, () => {
  const cases = tamperings.map(([name, change, alone, witnessed = alone]) => ({ name, change, alone, witnessed }))
  test.each(cases)('names what was done: $name', async ({ change, alone, witnessed }) => {
    await change()
    const verdict = async (checkpoints: readonly string[]): Promise<Verdict> => {
      const { reason, firstBadSeq, verified } = await chain.verify(tenantA, { checkpoints })
      expect(verified).toBe(reason === null)
      return { reason, at: firstBadSeq }
    }
    expect(await verdict([])).toEqual(alone)
    expect(await verdict([notes.half, notes.whole])).toEqual(witnessed)
  })

  test('agrees with its checkpoints as long as it only grows', async () => {
    await world.db.tenant({ tenantId: tenantA }, (tx) => tx.audit('case.open', { target: 'case:more' }))
    await sealAll(world)
    const report = await chain.verify(tenantA, { checkpoints: [notes.half, notes.whole] })
    expect(report).toMatchObject({ verified: true, entries: size + 1, checkpointUsed: size })
  })
})
