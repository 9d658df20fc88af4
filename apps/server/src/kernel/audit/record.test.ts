import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor, TenantId } from '../access/actor.ts'
import { noPermissions } from '../access/permissions.ts'
import type { AuditFields, Origin } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import { storable } from '../db/storable.ts'
import { openWorld, tenantA, tenantB, type World } from '../testing/event-world.ts'
import { redacted } from './redact.ts'
import { type AuditEntryRow, auditEntry } from './tables.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function recorded(fields: AuditFields, origin: Partial<Origin> = {}): Promise<AuditEntryRow | undefined> {
  await world.db.tenant({ tenantId: tenantA, origin }, (tx) => tx.audit('case.change', fields))
  const rows = await world.db.read(
    tenantA,
    sql<AuditEntryRow>`select ${auditEntry.columns} from audit_entry order by id desc limit 1`,
  )
  return rows[0]
}

const operator: Actor = {
  kind: 'user',
  userId: '0190c000-0000-7000-8000-000000000001',
  tenantId: tenantA,
  homeTenantId: tenantB as TenantId,
  role: 'super_admin',
  roles: ['super_admin'],
  permissions: noPermissions,
  operator: true,
  sessionId: null,
  keyId: null,
  authTime: null,
  amr: [],
  rateLimitPerMinute: null,
  tenantRequestsPerMinute: null,
  tenantStatus: 'active',
}

describe('an audit entry', () => {
  test('C60 names the user and the job that acts on their behalf', async () => {
    const job = { kind: 'platform.workflow_run', id: 'run-1' }
    const actor: Actor = { ...operator, kind: 'job', homeTenantId: tenantA, job }
    const entry = await recorded({ target: 'case:1' }, { actor })
    expect(entry).toMatchObject({ actor_kind: 'user', user_id: operator.userId, request_id: 'job_run-1' })
  })

  test('C11 C60 says who, from where, what and with which outcome', async () => {
    const origin = { actor: operator, ip: '192.0.2.7', userAgent: 'curl', requestId: 'r-1', traceparent: null }
    const entry = await recorded(
      { target: 'case:1', before: { open: true }, after: { open: false }, reason: 'done' },
      origin,
    )
    expect(entry).toMatchObject({
      tenant_id: tenantA,
      at: world.clock.iso(),
      actor_kind: 'user',
      user_id: operator.userId,
      role: 'super_admin',
      home_tenant_id: tenantB,
      action: 'case.change',
      target: 'case:1',
      before: { open: true },
      after: { open: false },
      reason: 'done',
      result: 'success',
      ip: expect.stringMatching(/^personal:[\w-]{43}$/),
      request_id: 'r-1',
    })
  })

  test('is of the system when nobody acts', async () => {
    expect(await recorded({ target: 'case:1', result: 'failed' })).toMatchObject({
      actor_kind: 'system',
      user_id: null,
      result: 'failed',
    })
  })

  test('C60 holds digests in place of secrets, the same for the same secret', async () => {
    const after = {
      client_secret: 'hunter2',
      nested: { password: 'hunter2', total_tokens: 12, token_type: 'bearer' },
      api_key_id: 'k',
    }
    const entry = await recorded({ target: 'case:1', after })
    const stored = entry?.after as { client_secret: string; nested: { password: string } }
    expect(JSON.stringify(stored)).not.toContain('hunter2')
    expect(stored.client_secret).toMatch(/^digest:/)
    expect(stored.nested.password).toBe(stored.client_secret)
    expect(stored.nested).toMatchObject({ total_tokens: 12, token_type: 'bearer' })
    expect(stored).toMatchObject({ api_key_id: 'k' })
  })

  test('survives text that JSON storage refuses', async () => {
    const entry = await recorded({ target: 'case:\0', after: { note: 'a\0b\ud800c' } })
    expect(entry).toMatchObject({ target: 'case:\uFFFD', after: { note: 'a\uFFFDb\uFFFDc' } })
  })
})

describe('redaction', () => {
  const digest = (): string => 'D'
  test('covers everything below a secret name', () => {
    expect(redacted({ credentials: { user: 'u', pin: 1234, list: ['a'] } }, digest)).toEqual({
      credentials: { user: 'digest:D', pin: 'digest:D', list: ['digest:D'] },
    })
  })
  test('leaves whole surrogate pairs alone', () => {
    expect(storable('😀')).toBe('😀')
  })
})
