import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer } from '../../../../test/support/client.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { held } from '../../../../test/support/matrices.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { genesis, sealHash } from '../../../kernel/audit/chain.ts'
import { signCheckpoint } from '../../../kernel/audit/note.ts'
import { type AuditEntryRow, auditEntry } from '../../../kernel/audit/tables.ts'
import { untilSealed } from '../../../kernel/audit/testing/seals.ts'
import { asOwner, script } from '../../../kernel/db/owner.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { modules } from '../../../modules.ts'

/** The same tampering for the server and for the script that has only the export: both must name the same fault. */
let database: TestDatabase
let world: World
let folder: string
let n = 0

beforeAll(async () => {
  database = await openTestDatabase(schemaOf(modules))
  folder = await mkdtemp(join(tmpdir(), 'parapet-offline-'))
  world = await openWorld({ database, environment: { PARAPET_CHECKPOINT_DIR: join(folder, 'checkpoints') } })
})

afterAll(async () => {
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

interface Verdict {
  readonly verified: boolean
  readonly reason: string | null
  readonly first_bad_seq: number | null
  readonly checkpoint_used: number | null
}

const tamper = (text: string): Promise<unknown> => asOwner(database.driver, (run) => run(script(text)))
const run = promisify(execFile)
const told = (answer: TestAnswer) => [answer.status, answer.body?.error_code]

async function tenantWith(count: number): Promise<TestTenant> {
  n += 1
  const tenant = await world.tenant(`offline-${n}`)
  await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
    for (let i = 1; i <= count; i += 1) await tx.audit('iam.case', { target: `case:${i}`, after: { number: i } })
  })
  await untilSealed(world, tenant.id)
  return tenant
}

/** The signed head, as it was handed to a place outside. */
async function noteOf({ id }: TestTenant): Promise<string> {
  const { size, hash } = await world.kernel.chain.head(id)
  const facts = { tenantId: id, size, headHash: hash, at: world.kernel.clock.iso() }
  return (await signCheckpoint(world.kernel.signingKeys, facts)).note
}

/** Those of the running installation come at their own time, and would witness what a case wants to be unwitnessed. */
async function forgetOwnCheckpoints({ id }: TestTenant): Promise<void> {
  await tamper(`delete from audit_checkpoint where tenant_id = '${id}'`)
  await rm(join(folder, 'checkpoints', id), { recursive: true, force: true })
}

async function online({ admin }: TestTenant, notes: readonly string[], more: object = {}): Promise<Verdict> {
  const answer = await admin.post('/admin/audit-logs/verify', { checkpoints: notes, ...more })
  return expectStatus(answer, 200).body.data
}

async function offline({ admin, id }: TestTenant, notes: readonly string[]): Promise<Verdict> {
  const accept = 'application/x-ndjson'
  const { text } = expectStatus(await admin.get('/admin/audit-logs', { headers: { accept } }), 200)
  const place = (name: string) => join(folder, `${id}-${name}`)
  const keys = world.kernel.signingKeys.jwks('checkpoint').keys
  const named = notes.map((note, index) => ({ path: place(`${index}.note`), note }))
  for (const { path, note } of named) await writeFile(path, note)
  await writeFile(place('export'), text)
  await writeFile(place('keys'), JSON.stringify(keys))
  const given = named.flatMap(({ path }) => ['--checkpoint', path])
  const args = ['scripts/verify-audit.mjs', place('export'), '--keys', place('keys'), ...given]
  const outcome = await run(process.execPath, args).catch((error: { stdout: string }) => error)
  return JSON.parse(outcome.stdout)
}

const entryAt = (id: string, seq: number): string =>
  `(select entry_id from audit_seal where tenant_id = '${id}' and seq = ${seq})`

/** Makes every seal from this place on anew, so that the chain is good in itself. */
async function relink({ id }: TestTenant, from: number): Promise<void> {
  const rows = await world.kernel.db.read(
    id,
    sql<AuditEntryRow & { seq: number; prev_hash: string }>`
      select ${auditEntry.columns}, seq, prev_hash
      from (select entry_id, seq, prev_hash from audit_seal) s join audit_entry on id = entry_id order by seq`,
  )
  let prev = rows.find(({ seq }) => seq === from)?.prev_hash ?? genesis
  const updates = rows
    .filter(({ seq }) => seq >= from)
    .map(({ seq, prev_hash: _prev, ...entry }) => {
      const hash = sealHash(prev, entry)
      const text = `update audit_seal set prev_hash = '${prev}', hash = '${hash}' where tenant_id = '${id}' and seq = ${seq}`
      prev = hash
      return text
    })
  await tamper(updates.join(';\n'))
}

const cut = (id: string, above: number): string =>
  `delete from audit_entry where id in (select entry_id from audit_seal where tenant_id = '${id}' and seq > ${above});
   delete from audit_seal where tenant_id = '${id}' and seq > ${above};
   delete from audit_checkpoint where tenant_id = '${id}'`

type Tamper = (tenant: TestTenant) => Promise<unknown>

const tamperings: readonly (readonly [string, Tamper, string | null, string | null])[] = [
  ['nothing', async () => undefined, null, null],
  [
    'an edited entry',
    ({ id }) => tamper(`update audit_entry set after = '{"number": 99}' where id = ${entryAt(id, 9)}`),
    'hash',
    'hash',
  ],
  [
    'an edited value about a person',
    ({ id }) =>
      tamper(`update audit_personal set opened = jsonb_build_object('/ip', '192.0.2.66')
        where (tenant_id, entry_id) = (select s.tenant_id, s.entry_id
          from audit_seal s join audit_personal p on p.tenant_id = s.tenant_id and p.entry_id = s.entry_id
          where s.tenant_id = '${id}' order by s.seq limit 1)`),
    'hash',
    'hash',
  ],
  [
    'erased values about persons',
    ({ id }) => tamper(`delete from audit_personal where tenant_id = '${id}'`),
    null,
    null,
  ],
  ['a deleted beginning', ({ id }) => tamper(`delete from audit_entry where id = ${entryAt(id, 1)}`), 'gap', 'gap'],
  ['a deleted entry', ({ id }) => tamper(`delete from audit_entry where id = ${entryAt(id, 9)}`), 'gap', 'gap'],
  [
    'swapped entries',
    ({ id }) =>
      tamper(`alter table audit_seal drop constraint audit_seal_tenant_id_entry_id_key;
        update audit_seal s set entry_id = case seq when 8 then ${entryAt(id, 9)} else ${entryAt(id, 8)} end
        where tenant_id = '${id}' and seq in (8, 9);
        alter table audit_seal add constraint audit_seal_tenant_id_entry_id_key unique (tenant_id, entry_id)`),
    'hash',
    'hash',
  ],
  [
    'an entry edited and sealed again',
    async (tenant) => {
      await tamper(`update audit_entry set reason = 'forged' where id = ${entryAt(tenant.id, 9)}`)
      const [row] = await world.kernel.db.read(
        tenant.id,
        sql<AuditEntryRow & { prev_hash: string }>`
          select ${auditEntry.columns}, prev_hash
          from (select entry_id, seq, prev_hash from audit_seal) s join audit_entry on id = entry_id where seq = 9`,
      )
      if (row === undefined) throw new Error('no ninth entry')
      const { prev_hash: prev, ...entry } = row
      await tamper(
        `update audit_seal set hash = '${sealHash(prev, entry)}' where tenant_id = '${tenant.id}' and seq = 9`,
      )
    },
    'link',
    'link',
  ],
  ['a cut tail', ({ id }) => tamper(cut(id, 10)), null, 'truncated'],
  [
    'a cut tail that was written anew',
    async (tenant) => {
      await tamper(cut(tenant.id, 10))
      await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
        for (let i = 0; i < 20; i += 1) await tx.audit('iam.other', { target: `other:${i}` })
      })
      await untilSealed(world, tenant.id)
    },
    null,
    'rewritten',
  ],
  [
    'a chain rewritten from its beginning',
    async (tenant) => {
      await tamper(`update audit_entry set reason = 'forged' where id = ${entryAt(tenant.id, 1)};
        delete from audit_checkpoint where tenant_id = '${tenant.id}'`)
      await relink(tenant, 1)
    },
    null,
    'rewritten',
  ],
]

describe('C61 the server and the script name the same fault', () => {
  test.each(tamperings)('%s', async (_name, change, alone, witnessed) => {
    const tenant = await tenantWith(12)
    const note = await noteOf(tenant)
    const { size } = await world.kernel.chain.head(tenant.id)
    await change(tenant)
    await forgetOwnCheckpoints(tenant)
    for (const [notes, reason] of [
      [[], alone],
      [[note], witnessed],
    ] as const) {
      const [here, there] = [await online(tenant, notes), await offline(tenant, notes)]
      await untilSealed(world, tenant.id)
      const wanted = { verified: reason === null, reason }
      expect([here, there]).toMatchObject([wanted, wanted])
      if (notes.length > 0 && reason === null) expect(there.checkpoint_used).toBe(size)
      expect(there.first_bad_seq).toBe(here.first_bad_seq)
    }
  })

  test('an inserted entry has no seal, which only the server can see', async () => {
    held('tamperings with the audit log', tamperings.length)
    const tenant = await tenantWith(3)
    await tamper(`insert into audit_entry (tenant_id, id, at, actor_kind, action, target, result)
      values ('${tenant.id}', gen_random_uuid(), now(), 'system', 'x', 'y:1', 'success')`)
    expect(await online(tenant, [])).toMatchObject({ verified: false, reason: 'unsealed', first_bad_seq: null })
  })
})

describe('verification', () => {
  test('leaves an entry, and an event when something is wrong', async () => {
    const tenant = await tenantWith(12)
    const events = () =>
      world.kernel.db.system('test', (tx) =>
        tx.query(sql<{ data: object }>`
          select data from outbox where tenant_id = ${tenant.id} and channel = 'admin.audit.tamper_detected'
          union all
          select data from event_log where tenant_id = ${tenant.id} and channel = 'admin.audit.tamper_detected'`),
      )
    await online(tenant, [])
    expect(await events()).toEqual([])
    await tamper(`update audit_entry set reason = 'forged' where id = ${entryAt(tenant.id, 9)}`)
    await online(tenant, [])
    expect(await events()).toMatchObject([{ data: { reason: 'hash', first_bad_seq: 9, scope: 'tenant' } }])
    const query = { action: 'admin.audit.verify' }
    const { data } = expectStatus(await tenant.admin.get('/admin/audit-logs', { query }), 200).body
    expect(data.map(({ result }: { result: string }) => result)).toEqual(['failed', 'success'])
  })

  test('of a part says nothing about the rest, and of what is not sealed yet nothing at all', async () => {
    const tenant = await tenantWith(12)
    await tamper(`update audit_entry set reason = 'forged' where id = ${entryAt(tenant.id, 9)}`)
    expect(await online(tenant, [], { from_seq: 2, to_seq: 8 })).toMatchObject({ verified: true, entries: 7 })
    expect(await online(tenant, [], { from_seq: 9, to_seq: 9 })).toMatchObject({ reason: 'hash', first_bad_seq: 9 })
    const verify = (body: object) => tenant.admin.post('/admin/audit-logs/verify', body)
    expect(told(await verify({ from_seq: 10, to_seq: 900 }))).toEqual([409, 'ADM-014'])
    expect(told(await verify({ from_seq: 900 }))).toEqual([409, 'ADM-014'])
    expect(told(await verify({ from_seq: 9, to_seq: 8 }))).toEqual([400, 'API-001'])
  })

  test('of a long chain is a job, whose result is the verdict', async () => {
    const tenant = await tenantWith(3)
    const { size } = await world.kernel.chain.head(tenant.id)
    await tamper(`update audit_seal set seq = 30000 where tenant_id = '${tenant.id}' and seq = ${size}`)
    const asked = expectStatus(await tenant.admin.post('/admin/audit-logs/verify', {}), 200).body.data
    expect(asked).toMatchObject({ status: 'queued', verified: null, reason: null })
    const read = async () =>
      expectStatus(await tenant.admin.get('/admin/jobs', { query: { id: asked.job_id } }), 200).body.data[0]
    await expect.poll(async () => (await read()).status).toBe('completed')
    const { result } = await read()
    expect(result).toMatchObject({ status: 'completed', verified: false, reason: 'gap', first_bad_seq: size })
    expect(Object.keys(result).sort()).toEqual(Object.keys(asked).sort())
  })

  test('refuses a note of another tenant or with another size', async () => {
    const [tenant, other] = [await tenantWith(2), await tenantWith(2)]
    const note = await noteOf(other)
    const changed = (await noteOf(tenant)).replace(/\n\d+\n/, '\n9007\n')
    for (const checkpoints of [[note], [changed], ['nonsense']]) {
      const answer = await tenant.admin.post('/admin/audit-logs/verify', { checkpoints })
      expect([...told(answer), answer.body.errors[0].pointer]).toEqual([400, 'API-001', '/checkpoints/0'])
    }
  })
})
