import { createHash, createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { chosenKind } from '../../../../test/support/database.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { SystemTx } from '../../../kernel/db/port.ts'
import { identifier, sql } from '../../../kernel/db/sql.ts'
import { awaitTurn } from '../../../kernel/db/turn.ts'
import { relayTurn } from '../../../kernel/events/tables.ts'
import { canMoveTenant, type TenantStatus } from '../schemas/tenant-states.ts'
import type { IamServices } from '../services/iam-services.ts'
import { deleteTenant } from './deletion.ts'

let world: OwnWorld
let operator: TestClient
let alpha: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  operator = world.operator
  alpha = await world.tenant('alpha')
})
afterAll(() => world.close())

const path = (id: string) => `/iam/tenants/${id}`
const code = (answer: TestAnswer) => [answer.status, answer.body.error_code]
const statusOf = async (id: string) => (await operator.get(path(id))).body.data.status
const remove = (client: TestClient, id: string, query: Readonly<Record<string, string>>) =>
  client.delete(path(id), { query })

/** Transactions of this database that wait for a turn. */
async function waitingForTurns(tx: SystemTx): Promise<number | undefined> {
  const waiting = await tx.first(sql<{ n: number }>`
    select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`)
  return waiting?.n
}

/** Background work of a tenant that is under way: events not yet logged, jobs, and handlers behind the log. */
const workOf = (tenantId: string) =>
  world.kernel.db.system('test of deletion', (tx) =>
    tx.first(sql<{ events: number; jobs: number; behind: number }>`
      select (select count(*)::int from outbox where tenant_id = ${tenantId}) as events,
        (select count(*)::int from job where tenant_id = ${tenantId}
          and status in ('waiting', 'running') and kind <> 'iam.tenant.delete') as jobs,
        (select count(*)::int from handler_position
          where position < (select position from event_head where id = 1)) as behind`),
  )

describe('a tenant', () => {
  it('is changed from inside and from above, each within bounds', async () => {
    const settings = { session_idle_minutes: 30 }
    const changed = expectStatus(await alpha.admin.patch(path(alpha.id), { name: 'Alpha Ltd', settings }), 200).body
      .data
    expect(changed).toMatchObject({ name: 'Alpha Ltd', settings, effective_settings: settings })
    for (const body of [{ quotas: { users: 5 } }, { status: 'suspended' }])
      expect(code(await alpha.admin.patch(path(alpha.id), body))).toEqual([422, 'IAM-011'])
    expect(expectStatus(await operator.patch(path(alpha.id), { quotas: { users: 50 } }), 200).body.data.quotas).toEqual(
      { users: 50 },
    )
    expect(code(await operator.patch(path(world.root.id), { status: 'suspended' }))).toEqual([422, 'IAM-011'])
    const other = await world.tenant('other')
    expect(code(await other.admin.patch(path(alpha.id), { name: 'Mine' }))).toEqual([404, 'API-013'])
    expect(
      code(await alpha.admin.patch(path(alpha.id), { name: 'x' }, { headers: { 'if-match': '"999-x"' } })),
    ).toEqual([412, 'API-012'])
    expect(code(await alpha.admin.patch(path(alpha.id), { status_reason: 'x' }))).toEqual([400, 'API-001'])
  })

  it('that is suspended is read and exported, and nothing else', async () => {
    const made = await world.tenant('paused')
    expectStatus(await operator.patch(path(made.id), { status: 'suspended', status_reason: 'unpaid' }), 200)
    expect((await made.admin.get('/iam/users')).status).toBe(200)
    expect(code(await made.admin.post('/iam/roles', { name: 'x', permissions: ['iam:read'] }))).toEqual([
      403,
      'AUTH-016',
    ])
    expect(code(await made.admin.patch(path(made.id), { status: 'active' }))).toEqual([403, 'AUTH-016'])
    expect((await made.admin.post(`${path(made.id)}/export`, { include: ['iam_role'] })).status).toBe(201)
    expectStatus(await operator.patch(path(made.id), { status: 'active' }), 200)
    expect((await made.admin.post('/iam/roles', { name: 'x', permissions: ['iam:read'] })).status).toBe(201)
    expectStatus(await operator.patch(path(made.id), { end_all_sessions: true }), 200)
    expect((await made.admin.get('/iam/users')).status).toBe(401)
  })

  it('C16 is exported with a manifest whose digests and signature hold, without secrets', async () => {
    const key = expectStatus(await alpha.admin.post('/iam/api-keys', { name: 'k', scopes: ['iam:admin'] }), 201).body
      .data
    const asked = expectStatus(await alpha.admin.post(`${path(alpha.id)}/export`, {}), 201)
    const read = async () => expectStatus(await alpha.admin.get(asked.headers.location ?? ''), 200).body.data
    await vi.waitFor(async () => expect((await read()).status).toBe('completed'), { timeout: 60_000 })
    const { manifest, manifest_sha256, signature, signature_kid } = await read()
    expect(canonicalHash(manifest)).toBe(manifest_sha256)
    const jwk = world.kernel.signingKeys.jwks('checkpoint').keys.find(({ kid }) => kid === signature_kid)
    const signed = Buffer.from(`parapet/tenant-export\n${manifest_sha256}`)
    const publicKey = createPublicKey({ format: 'jwk', key: { ...jwk } })
    expect(verify(null, signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
    const names = manifest.tables.map(({ name }: { name: string }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['iam_user', 'iam_role', 'iam_api_key', 'audit_entry', 'gateway_request']),
    )
    expect(names).not.toContain('tenant_data_key')
    let whole = ''
    for (const { name, rows, bytes, sha256 } of manifest.tables) {
      const { text } = expectStatus(
        await alpha.admin.get(`${asked.headers.location}/content`, { query: { table: name } }),
        200,
      )
      expect([name, text.split('\n').length - 1, Buffer.byteLength(text)]).toEqual([name, rows, bytes])
      expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
      whole += text
    }
    expect(whole).toContain('admin@alpha.example')
    const secrets = await world.kernel.db.read(
      alpha.id,
      sql<{ secret: string }>`
      select password_hash as secret from iam_user where password_hash is not null
      union all select secret_hash from iam_api_key
      union all select refresh_jti from iam_session`,
    )
    expect(secrets.length).toBeGreaterThan(2)
    expect(secrets.filter(({ secret }) => whole.includes(secret))).toEqual([])
    expect(whole).not.toContain(key.secret.split('_')[2])
    // A tenant's data is its own: neither its neighbors nor who is above it export it.
    for (const client of [(await world.tenant('near')).admin, operator]) {
      expect(code(await client.post(`${path(alpha.id)}/export`, {}))).toEqual([404, 'API-013'])
      expect(code(await client.get(asked.headers.location ?? ''))).toEqual([404, 'API-013'])
    }
    expect(code(await alpha.admin.post(`${path(alpha.id)}/export`, { include: ['tenant_data_key'] }))).toEqual([
      400,
      'API-001',
    ])
  })

  it('C66 is deleted after its grace: keys, rows and credentials are gone, the seals stay', async () => {
    const doomed = await world.tenant('doomed')
    const service = expectStatus(
      await doomed.admin.post('/iam/users', {
        type: 'service',
        role_ids: [(await doomed.admin.get('/iam/roles')).body.data[0].id],
      }),
      201,
    ).body.data
    expectStatus(
      await doomed.admin.post('/iam/api-keys', { name: 'k', scopes: ['iam:read'], owner_id: service.id }),
      201,
    )
    expect(code(await remove(operator, doomed.id, { confirm_slug: 'wrong' }))).toEqual([400, 'API-001'])
    expect(code(await remove(operator, world.root.id, { confirm_slug: 'root' }))).toEqual([422, 'IAM-011'])
    const bearer = expectStatus(await operator.post('/iam/api-keys', { name: 'k', scopes: ['iam:admin'] }), 201).body
      .data.secret
    expect(code(await remove(world.stranger.with(bearer), doomed.id, { confirm_slug: 'doomed' }))).toEqual([
      401,
      'AUTH-009',
    ])
    const asked = expectStatus(await remove(operator, doomed.id, { confirm_slug: 'doomed', grace_days: '1' }), 200).body
      .data
    expect(asked).toMatchObject({ deleted: false, status: 'pending_deletion' })
    expect((await doomed.admin.get('/iam/users')).status).toBe(200)
    expect(code(await doomed.admin.post('/iam/roles', { name: 'x', permissions: ['iam:read'] }))).toEqual([
      403,
      'AUTH-016',
    ])
    // Cancelled from inside, asked for again.
    expect(expectStatus(await doomed.admin.patch(path(doomed.id), { status: 'active' }), 200).body.data.status).toBe(
      'active',
    )
    expectStatus(await remove(doomed.admin, doomed.id, { confirm_slug: 'doomed', grace_days: '1' }), 200)

    const seals = () => world.kernel.db.read(doomed.id, sql<{ n: number }>`select count(*)::int as n from audit_seal`)
    // A transaction open anywhere on the server delays the sealer, and deleted entries are no longer sealed.
    await expect.poll(async () => (await seals())[0]?.n, { timeout: 30_000 }).toBeGreaterThan(0)
    const services = world.program.assembled.modules.servicesOf('iam') as IamServices
    const none = new AbortController().signal
    await deleteTenant(services, doomed.id, none)
    expect(await statusOf(doomed.id)).toBe('pending_deletion')
    // Work that began with the tenant is over long before its grace is.
    await expect.poll(() => workOf(doomed.id), { timeout: 60_000 }).toEqual({ events: 0, jobs: 0, behind: 0 })
    const at = Date.now() + 2 * 86_400_000
    const clock = { ...world.kernel.clock, now: () => at, iso: () => new Date(at).toISOString() }
    const later = { ...services, kernel: { ...services.kernel, clock } }
    await expect(deleteTenant(later, doomed.id, AbortSignal.abort())).rejects.toThrow()
    expect((await doomed.admin.get('/iam/users')).status).toBe(401)
    await deleteTenant(later, doomed.id, none)
    await deleteTenant(later, doomed.id, none)

    expect((await seals())[0]?.n).toBeGreaterThan(0)
    const left: string[] = []
    for (const table of world.kernel.tables.filter(({ scope }) => scope === 'tenant')) {
      const [row] = await world.kernel.db.read(
        doomed.id,
        sql<{ n: number }>`select count(*)::int as n from ${identifier(table.name)}`,
      )
      if ((row?.n ?? 0) > 0) left.push(table.name)
    }
    const may = [
      'job',
      'revocation',
      'audit_entry',
      'audit_pending',
      'audit_seal',
      'audit_checkpoint',
      'change_feed',
      'trust_snapshot',
      'trust_config',
    ]
    expect(left.filter((name) => !may.includes(name))).toEqual([])
    expect(left).toContain('audit_seal')
    await expect(
      world.kernel.tenantKeys.encrypt(doomed.id, { table: 't', column: 'c', rowId: 'r' }, Buffer.from('x')),
    ).rejects.toThrow()
    const tombstone = expectStatus(await operator.get('/iam/tenants', { query: { status: 'deleted' } }), 200).body.data
    expect(tombstone).toMatchObject([{ id: doomed.id, name: 'Deleted tenant', slug: `deleted-${doomed.id}` }])
    const told = await world.kernel.db.read(
      world.root.id,
      sql<{ action: string }>`
      select action from audit_entry where target = ${`tenant:${doomed.id}`} and action like 'iam.tenant.delete%' order by id`,
    )
    expect(told.map(({ action }) => action)).toEqual(['iam.tenant.delete', 'iam.tenant.deleted'])
    expect(code(await operator.patch(path(doomed.id), { status: 'active' }))).toEqual([404, 'API-013'])
    await world.tenant('doomed')
  })

  // The embedded database has one connection: there nothing moves meanwhile.
  it.runIf(chosenKind() === 'pg')(
    'C66 leaves no event that was being moved to the log while it was deleted',
    async () => {
      const doomed = await world.tenant('moving')
      expectStatus(await remove(operator, doomed.id, { confirm_slug: 'moving', grace_days: '1' }), 200)
      const services = world.program.assembled.modules.servicesOf('iam') as IamServices
      const at = Date.now() + 2 * 86_400_000
      const clock = { ...world.kernel.clock, now: () => at, iso: () => new Date(at).toISOString() }
      const order: string[] = []
      let deleting: Promise<unknown> = Promise.resolve()
      await world.kernel.db.system('a relay that is slow', async (tx) => {
        await tx.execute(awaitTurn(relayTurn))
        deleting = deleteTenant(
          { ...services, kernel: { ...services.kernel, clock } },
          doomed.id,
          new AbortController().signal,
        ).then(() => order.push('deleted'))
        await expect.poll(() => waitingForTurns(tx), { timeout: 30_000 }).toBe(1)
        order.push('moved')
      })
      await deleting
      expect(order).toEqual(['moved', 'deleted'])
      const left = (name: string) =>
        world.kernel.db.read(doomed.id, sql<{ id: string }>`select id from ${identifier(name)}`)
      expect([await left('outbox'), await left('event_log')]).toEqual([[], []])
    },
  )

  it('with tenants below it is not deleted', async () => {
    const parent = await world.tenant('parent')
    const child = { name: 'c', slug: 'child', admin_email: 'a@child.example' }
    expectStatus(await parent.admin.post('/iam/tenants', child), 201)
    expect(code(await remove(parent.admin, parent.id, { confirm_slug: 'parent' }))).toEqual([422, 'IAM-011'])
  })
})

it('goes only where its model goes, whatever is asked of it in whatever order', async () => {
  const { id } = await world.tenant('model')
  const commands = fc.array(fc.constantFrom('active' as const, 'suspended' as const, 'delete' as const), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      await operator.patch(path(id), { status: 'active' })
      let state: TenantStatus = 'active'
      for (const command of list) {
        const to: TenantStatus = command === 'delete' ? 'pending_deletion' : command
        const answer =
          command === 'delete'
            ? await remove(operator, id, { confirm_slug: 'model' })
            : await operator.patch(path(id), { status: command })
        const same = to === state && command !== 'delete'
        expect([list, command, answer.status]).toEqual([list, command, same || canMoveTenant(state, to) ? 200 : 409])
        if (answer.status === 200) state = to
        expect(await statusOf(id)).toBe(state)
      }
    }),
    { numRuns: 10 },
  )
})
