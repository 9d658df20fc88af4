import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOwner, script } from '../db/owner.ts'
import { sql } from '../db/sql.ts'
import { checkpointKeys } from '../testing/checkpoint-keys.ts'
import { openWorld, sealAll, tenantA, tenantB, until, type World } from '../testing/event-world.ts'
import { genesis, sealHash } from './chain.ts'
import { type CheckpointParts, createCheckpointer } from './checkpoint.ts'
import { createFolderSink } from './checkpoint-sinks.ts'
import { createSealer } from './seal.ts'
import { type AuditEntryRow, auditEntry } from './tables.ts'
import { type ChainVerifier, CheckpointRefused, createChainVerifier } from './verify.ts'

let world: World
let chain: ChainVerifier
const keys = checkpointKeys()

beforeAll(async () => {
  world = await openWorld()
  chain = createChainVerifier({ db: world.db, clock: world.clock, keys })
})
beforeEach(() => tamper('truncate audit_entry, audit_pending, audit_seal, audit_checkpoint'))
afterAll(() => world.close())

/** Acts of an attacker with the database owner's rights. */
const tamper = (text: string): Promise<unknown> => asOwner(world.driver, (run) => run(script(text)))

async function record(count: number, tenantId = tenantA): Promise<void> {
  await world.db.tenant({ tenantId }, async (tx) => {
    for (let n = 1; n <= count; n += 1) await tx.audit('case.open', { target: `case:${n}`, after: { number: n } })
  })
}
const seal = (): Promise<void> => sealAll(world)

async function sealed(count = 10): Promise<void> {
  await record(count)
  await seal()
}

const entryAt = (seq: number): string =>
  `(select entry_id from audit_seal where tenant_id = '${tenantA}' and seq = ${seq})`

async function rows(): Promise<readonly AuditEntryRow[]> {
  return world.db.tenant({ tenantId: tenantA }, (tx) =>
    tx.query(sql<AuditEntryRow>`
      select ${auditEntry.columns} from (select entry_id, seq from audit_seal) s join audit_entry on id = entry_id order by seq`),
  )
}

/** Rewrites the whole chain so that it is consistent in itself. */
async function relinkAll(): Promise<void> {
  let prev = genesis
  let seq = 0
  const statements: string[] = [`delete from audit_seal where tenant_id = '${tenantA}'`]
  for (const row of await rows()) {
    seq += 1
    const hash = sealHash(prev, row)
    statements.push(
      `insert into audit_seal values ('${tenantA}', ${seq}, '${row.id}', '${prev}', '${hash}', '${world.clock.iso()}')`,
    )
    prev = hash
  }
  await tamper(statements.join(';\n'))
}

async function checkpoint(made: CheckpointParts['made'] = async () => undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-checkpoints-'))
  const sink = createFolderSink(folder)
  const checkpointer = createCheckpointer({ ...world, keys, sink, made, tenants: async () => [tenantA, tenantB] })
  await checkpointer.start()
  await until(async () => (await readdir(folder)).length > 0)
  await checkpointer.stop()
  const [file = ''] = await readdir(join(folder, tenantA))
  return readFile(join(folder, tenantA, file), 'utf8')
}

describe('an untouched chain', () => {
  test('verifies from end to end, in part and entry by entry', async () => {
    await sealed()
    const report = await chain.verify(tenantA)
    expect(report).toMatchObject({ verified: true, entries: 10, firstBadSeq: null, reason: null, head: { size: 10 } })
    expect(await chain.verify(tenantA, { fromSeq: 4, toSeq: 6 })).toMatchObject({ verified: true, entries: 3 })
    const [first] = await rows()
    expect(await chain.entry(tenantA, first?.id ?? '')).toMatchObject({ seq: 1, ok: true })
  })

  test('keeps tenants apart', async () => {
    await record(3)
    await record(2, tenantB)
    await seal()
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true, entries: 3 })
    expect(await chain.verify(tenantB)).toMatchObject({ verified: true, entries: 2 })
  })

  test('is sealed by the running sealer soon after the commit', async () => {
    const sealer = createSealer({ ...world, checkpointDue: () => undefined })
    world.committed.audit = () => sealer.wake()
    await sealer.start()
    await record(3)
    await until(async () => {
      world.clock.advance(100)
      return (await chain.verify(tenantA)).entries === 3
    })
    await sealer.stop()
    world.committed.audit = () => undefined
  })

  test('of many concurrent writers has no gap', async () => {
    await Promise.all(Array.from({ length: 30 }, () => record(2)))
    await seal()
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true, entries: 60 })
  })
})

test('a checkpoint is told of in the transaction that keeps it', async () => {
  await sealed()
  const told: unknown[] = []
  await checkpoint(async (tx, about) => void told.push([tx.tenantId, about]))
  expect(told).toEqual([[tenantA, { size: 10, headHash: expect.stringMatching(/^[0-9a-f]{64}$/) }]])
})

describe('C61 tampering is named', () => {
  test.each([
    ['a changed entry', `update audit_entry set after = '{"number": 99}' where id = ${entryAt(5)}`, 'hash', 5],
    ['a changed actor', `update audit_entry set actor_kind = 'user' where id = ${entryAt(10)}`, 'hash', 10],
    ['a deleted entry', `delete from audit_entry where id = ${entryAt(5)}`, 'gap', 5],
    ['a deleted seal', `delete from audit_seal where seq = 5`, 'gap', 5],
    [
      'two swapped entries',
      `alter table audit_seal drop constraint audit_seal_tenant_id_entry_id_key;
       update audit_seal s set entry_id = case seq when 3 then ${entryAt(4)} else ${entryAt(3)} end where seq in (3, 4);
       alter table audit_seal add constraint audit_seal_tenant_id_entry_id_key unique (tenant_id, entry_id)`,
      'hash',
      3,
    ],
    [
      'reordered seals',
      'alter table audit_seal drop constraint audit_seal_seq_check; ' +
        'update audit_seal set seq = -seq where seq in (3, 4); update audit_seal set seq = 4 where seq = -3; ' +
        'update audit_seal set seq = 3 where seq = -4; alter table audit_seal add constraint audit_seal_seq_check check (seq > 0)',
      'link',
      3,
    ],
    [
      'an inserted entry',
      `insert into audit_entry (tenant_id, id, at, actor_kind, action, target, result)
       values ('${tenantA}', gen_random_uuid(), now(), 'system', 'x', 'y:1', 'success')`,
      'unsealed',
      null,
    ],
    [
      'an entry taken from another tenant',
      `update audit_entry set tenant_id = '${tenantA}' where tenant_id = '${tenantB}' and target = 'case:1';
       delete from audit_entry where id = ${entryAt(2)};
       update audit_seal set entry_id = (select id from audit_entry where tenant_id = '${tenantA}' and target = 'case:1'
         and id not in (select entry_id from audit_seal where tenant_id = '${tenantA}')) where tenant_id = '${tenantA}' and seq = 2`,
      'hash',
      2,
    ],
  ])('%s', async (_name, text, reason, firstBadSeq) => {
    await sealed()
    await record(1, tenantB)
    await seal()
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true })
    await tamper(text)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason, firstBadSeq })
  })

  test('an entry whose own seal was made again breaks the next link', async () => {
    await sealed()
    await tamper(`update audit_entry set reason = 'forged' where id = ${entryAt(5)}`)
    const row = (await rows())[4]
    const seals = await world.db.tenant({ tenantId: tenantA }, (tx) =>
      tx.query(sql<{ prev_hash: string }>`select prev_hash from audit_seal where seq = 5`),
    )
    if (row === undefined) throw new Error('no fifth entry')
    await tamper(`update audit_seal set hash = '${sealHash(seals[0]?.prev_hash ?? '', row)}' where seq = 5`)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason: 'link', firstBadSeq: 6 })
  })

  test('an entry that was never sealed is found, although it waits in line', async () => {
    await sealed()
    await record(1)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true, entries: 10 })
    world.clock.advance(120_000)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason: 'unsealed' })
  })
})

describe('C61 against a checkpoint kept outside', () => {
  test('a chain that only grew agrees', async () => {
    await sealed()
    const note = await checkpoint()
    await sealed(2)
    const report = await chain.verify(tenantA, { checkpoints: [note] })
    expect(report).toMatchObject({ verified: true, entries: 12, checkpointUsed: 10 })
  })

  test('a cut tail shows, although the rest is a good chain', async () => {
    await sealed()
    const note = await checkpoint()
    await tamper(`delete from audit_entry where id in (select entry_id from audit_seal where seq > 7);
      delete from audit_seal where seq > 7; delete from audit_checkpoint`)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true, entries: 7 })
    expect(await chain.verify(tenantA, { checkpoints: [note] })).toMatchObject({ reason: 'truncated', firstBadSeq: 8 })
  })

  test('a chain rewritten as a whole shows', async () => {
    await sealed()
    const note = await checkpoint()
    await tamper(`update audit_entry set reason = 'forged' where id = ${entryAt(2)}; delete from audit_checkpoint`)
    await relinkAll()
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true, entries: 10 })
    expect(await chain.verify(tenantA, { checkpoints: [note] })).toMatchObject({ reason: 'rewritten', firstBadSeq: 10 })
  })

  test('a cut tail that was written anew shows', async () => {
    await sealed()
    const note = await checkpoint()
    await tamper(`delete from audit_entry where id in (select entry_id from audit_seal where seq > 7);
      delete from audit_seal where seq > 7; delete from audit_checkpoint`)
    await sealed(5)
    expect(await chain.verify(tenantA, { checkpoints: [note] })).toMatchObject({ reason: 'rewritten', firstBadSeq: 10 })
  })

  test('a forged note is refused', async () => {
    await sealed()
    const note = await checkpoint()
    await expect(chain.verify(tenantA, { checkpoints: [note.replace('\n10\n', '\n11\n')] })).rejects.toThrow(
      CheckpointRefused,
    )
    await expect(chain.verify(tenantB, { checkpoints: [note] })).rejects.toThrow(CheckpointRefused)
  })
})

describe('C61 the role of requests', () => {
  test.each([
    'update audit_entry set reason = null',
    'delete from audit_entry',
    'delete from audit_seal',
    'delete from audit_checkpoint',
  ])('may not run: %s', async (text) => {
    await sealed(1)
    const statement = { text, values: [], name: '' }
    await expect(world.db.tenant({ tenantId: tenantA }, (tx) => tx.execute(statement))).rejects.toMatchObject({
      code: '42501',
    })
  })
})
