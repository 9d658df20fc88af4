import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOwner, script } from '../db/owner.ts'
import { sql } from '../db/sql.ts'
import { checkpointKeys } from '../testing/checkpoint-keys.ts'
import { openWorld, sealAll, tenantA, tenantB, type World } from '../testing/event-world.ts'
import { createFolderSink } from './checkpoint-sinks.ts'
import { type AuditRetention, type CutAsk, createAuditRetention } from './cut.ts'
import { signCheckpoint } from './note.ts'
import { type ChainVerifier, createChainVerifier } from './verify.ts'

let world: World
let folder: string
let chain: ChainVerifier
let retention: AuditRetention
const keys = checkpointKeys()

beforeAll(async () => {
  world = await openWorld()
  folder = await mkdtemp(join(tmpdir(), 'parapet-cut-'))
  const sink = createFolderSink(folder)
  chain = createChainVerifier({ db: world.db, clock: world.clock, keys, outside: sink.read })
  retention = createAuditRetention({ ...world, keys, chain, folder: sink })
})
beforeEach(async () => {
  await tamper('truncate audit_entry, audit_pending, audit_seal, audit_checkpoint, audit_personal, audit_cut')
  await rm(join(folder, tenantA), { recursive: true, force: true })
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true })
})

const tamper = (text: string): Promise<unknown> => asOwner(world.driver, (run) => run(script(text)))

/** Entries about a person, sealed, and a kept checkpoint over them; then a day goes by. */
async function segment(count: number): Promise<void> {
  await world.db.tenant({ tenantId: tenantA }, async (tx) => {
    for (let n = 1; n <= count; n += 1)
      await tx.audit('case.open', {
        target: 'case:1',
        after: { name: 'Ada' },
        about: '0190a000-0000-7000-8000-0000000000aa',
      })
  })
  await sealAll(world)
  const { size, hash } = await chain.head(tenantA)
  const { note, at } = await signCheckpoint(keys, { tenantId: tenantA, size, headHash: hash, at: world.clock.iso() })
  await world.db.tenant({ tenantId: tenantA }, (tx) =>
    tx.execute(sql`
      insert into audit_checkpoint (tenant_id, id, size, head_hash, note, at)
      values (${tenantA}, ${world.random.uuid()}, ${size}, ${hash}, ${note}, ${at})`),
  )
  world.clock.advance(86_400_000)
}

/** Three segments, of which the first two were sealed before the time that is answered. */
async function threeSegments(): Promise<string> {
  await segment(5)
  await segment(4)
  const before = world.clock.iso()
  await segment(3)
  return before
}

const cut = (before: string, over: Partial<CutAsk> = {}) =>
  retention.cut({ tenantId: tenantA, before, signal: AbortSignal.timeout(60_000), ...over })

const counts = async () => {
  const [row] = await world.db.read(
    tenantA,
    sql<Record<string, number>>`
      select (select count(*)::int from audit_entry where action = 'case.open') as entries,
        (select count(*)::int from audit_seal) as seals, (select count(*)::int from audit_personal) as personal,
        (select count(*)::int from audit_checkpoint) as checkpoints`,
  )
  return row
}

describe('C61 retention', () => {
  test('takes whole segments with what stands beside them, and what remains verifies', async () => {
    const before = await threeSegments()
    const { hash } = await chain.head(tenantA)
    expect(await cut(before)).toEqual({ removed: 9, fault: null })
    // The seal of the ninth stays, for the next one to hold.
    expect(await counts()).toEqual({ entries: 3, seals: 4, personal: 3, checkpoints: 2 })
    await sealAll(world)
    const report = await chain.verify(tenantA)
    expect(report).toMatchObject({
      verified: true,
      entries: 4,
      checkpointUsed: 12,
      head: { size: 13 },
      cut: { size: 9 },
    })
    expect(await chain.verify(tenantA, { toSeq: 12 })).toMatchObject({ verified: true, head: { size: 12, hash } })
    expect(await chain.verify(tenantA, { fromSeq: 11, toSeq: 12 })).toMatchObject({ verified: true, entries: 2 })
  })

  test('is told in the log, and its signed note is kept outside', async () => {
    const before = await threeSegments()
    await cut(before)
    const [entry] = await world.db.read(tenantA, sql`select after from audit_entry where action = 'admin.audit.cut'`)
    expect(entry).toEqual({ after: { removed_to_seq: 9, head_hash: expect.any(String), sealed_before: before } })
    expect(await readdir(join(folder, tenantA))).toEqual(['0000000000000009.cut'])
    const note = await readFile(join(folder, tenantA, '0000000000000009.cut'), 'utf8')
    expect(note).toMatch(new RegExp(`^parapet/audit-cut/${tenantA}\n9\n`))
    expect((await chain.verify(tenantA)).cut?.note).toBe(note)
  })

  test('cuts nothing that is too young or not under a checkpoint, and nothing twice', async () => {
    const early = world.clock.iso()
    const before = await threeSegments()
    expect(await cut(early)).toEqual({ removed: 0, fault: null })
    expect(await counts()).toMatchObject({ entries: 12, seals: 12 })
    await tamper('delete from audit_checkpoint where size = 9')
    expect(await cut(before)).toEqual({ removed: 5, fault: null })
    expect(await cut(before)).toEqual({ removed: 0, fault: null })
    await sealAll(world)
    const [row] = await world.db.read(
      tenantA,
      sql<{ n: number }>`select count(*)::int as n from audit_entry where action = 'admin.audit.cut'`,
    )
    expect(row?.n).toBe(1)
  })

  test('goes on cutting from where it was, and a log that is cut whole goes on', async () => {
    const before = await threeSegments()
    await cut(before)
    await sealAll(world)
    await segment(2)
    const all = await cut(world.clock.iso())
    expect(all).toEqual({ removed: 6, fault: null })
    await sealAll(world)
    expect(await chain.verify(tenantA)).toMatchObject({
      verified: true,
      entries: 1,
      head: { size: 16 },
      cut: { size: 15 },
    })
  })

  test('leaves what was tampered with where it is', async () => {
    const before = await threeSegments()
    await tamper(`update audit_entry set reason = 'forged' where id = (select entry_id from audit_seal where seq = 3)`)
    const { removed, fault } = await cut(before)
    expect([removed, fault?.reason, fault?.firstBadSeq]).toEqual([0, 'hash', 3])
    expect(await counts()).toMatchObject({ entries: 12, seals: 12 })
    expect(await chain.beginning(tenantA)).toBeNull()
  })

  test('that was broken off leaves a log that verifies, and is taken up again', async () => {
    const before = await threeSegments()
    const stop = new AbortController()
    const folderThatStops = { keepCut: async () => stop.abort() }
    const broken = createAuditRetention({ ...world, keys, chain, folder: folderThatStops })
    await expect(broken.cut({ tenantId: tenantA, before, signal: stop.signal })).rejects.toThrow()
    await sealAll(world)
    expect(await counts()).toMatchObject({ entries: 12, seals: 13 })
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true, cut: { size: 9 } })
    expect(await cut(before)).toEqual({ removed: 9, fault: null })
    expect(await chain.verify(tenantA)).toMatchObject({ verified: true, cut: { size: 9 } })
  })
})

describe('C61 a beginning that was removed by other hands', () => {
  const behead = (upTo: number): Promise<unknown> =>
    tamper(`delete from audit_entry where id in (select entry_id from audit_seal where seq <= ${upTo});
      delete from audit_seal where seq < ${upTo}`)
  const claim = async (note: string, { size = 9, tenantId = tenantA } = {}): Promise<unknown> => {
    const hash = 'ab'.repeat(32)
    return tamper(
      `insert into audit_cut values ('${tenantId}', '${world.random.uuid()}', ${size}, '${hash}', '${note}', now())`,
    )
  }

  test('shows, also where a checkpoint is shown in the place of a cut', async () => {
    await threeSegments()
    const [kept] = await world.db.read(tenantA, sql<{ note: string }>`select note from audit_checkpoint where size = 9`)
    await behead(9)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason: 'gap', firstBadSeq: 1 })
    await claim(kept?.note ?? '')
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason: 'gap', firstBadSeq: 1 })
    await claim((kept?.note ?? '').replace('parapet/audit/', 'parapet/audit-cut/'))
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason: 'gap', firstBadSeq: 1 })
  })

  test('shows where the cut of another tenant is shown', async () => {
    await threeSegments()
    const { hash } = await chain.head(tenantA)
    const facts = { tenantId: tenantB, size: 9, headHash: hash, at: world.clock.iso() }
    await behead(9)
    await claim((await signCheckpoint(keys, facts, 'cut')).note)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason: 'gap', firstBadSeq: 1 })
  })

  test('shows where more is gone than was cut, or the seal that was left is another one', async () => {
    const before = await threeSegments()
    await cut(before)
    await sealAll(world)
    await tamper(`update audit_seal set hash = '${'cd'.repeat(32)}' where seq = 9`)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason: 'rewritten', firstBadSeq: 9 })
    await behead(11)
    expect(await chain.verify(tenantA)).toMatchObject({ verified: false, reason: 'gap', firstBadSeq: 9 })
  })
})

test.each(['update audit_cut set size = 1', 'delete from audit_cut'])(
  'C61 the role of requests may not run: %s',
  async (text) => {
    const statement = { text, values: [], name: '' }
    await expect(world.db.tenant({ tenantId: tenantA }, (tx) => tx.execute(statement))).rejects.toMatchObject({
      code: '42501',
    })
  },
)
