/** Kill switches on tools, scopes that no module enforces, and switches that join a caller's transaction. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { Actor } from '../../../kernel/access/actor.ts'
import { noPermissions } from '../../../kernel/access/permissions.ts'
import type { AegisServices } from '../../aegis/service.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
  tenant = await world.tenant('scopes')
  await addProvider(tenant.admin, 'local', upstream)
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const reason = 'an exercise of the incident team'
const switches = '/gateway/kill-switches'
const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })

test('a switch on a tool stops calls that offer it and no others', async () => {
  const made = expectStatus(await tenant.admin.post(switches, { scope: 'tool', value: 'wire_money', reason }), 201)
  const refused = await ask(tenant.admin, 'Pay.', { tools: [tool('lookup'), tool('wire_money')] })
  expect([refused.status, refused.body.error_code]).toEqual([503, 'GW-010'])
  expect(refused.body.detail).toContain('tool (wire_money)')
  expectStatus(await ask(tenant.admin, 'Look.', { tools: [tool('lookup')] }), 200)
  expectStatus(await tenant.admin.post(`${switches}/${made.body.data.id}/deactivate`, { reason }), 200)
  expectStatus(await ask(tenant.admin, 'Pay.', { tools: [tool('wire_money')] }), 200)
})

test('a switch on a tool refuses an answer that is sent again', async () => {
  const body = { model: 'test-model', messages: [{ role: 'user', content: 'Pay.' }], tools: [tool('pay_once')] }
  const send = () => tenant.admin.post('/gateway/chat/completions', body, { headers: { 'idempotency-key': 'pay' } })
  expectStatus(await send(), 200)
  expectStatus(await tenant.admin.post(switches, { scope: 'tool', value: 'pay_once', reason }), 201)
  expect((await send()).body.error_code).toBe('GW-010')
})

test.each(['mcp_server', 'agents_by_tag'])(
  'a switch of the scope %s, which the MCP firewall enforces, is stored',
  async (scope) => {
    const made = expectStatus(await tenant.admin.post(switches, { scope, value: 'payments', reason }), 201).body.data
    expect(made).toMatchObject({ scope, value: 'payments', status: 'active' })
  },
)

describe('a switch in the transaction of a caller', () => {
  const { activate, matchKillSwitch } = {
    activate: (...input: Parameters<AegisServices['api']['activate']>) => aegis().activate(...input),
    matchKillSwitch: () =>
      aegis().matchKillSwitch({
        ...{ tenantId: tenant.id, userId: 'u', keyId: null, agentId: null },
        ...{ provider: 'local', model: 'joined-model', route: null },
      }),
  }
  const aegis = () => (world.program.assembled.modules.servicesOf('aegis') as AegisServices).api
  const request: Parameters<typeof activate>[2] = {
    ...{ scope: 'model', value: 'joined-model', level: 'hard', reason, source: 'platform' },
    ...{ exempt: [], expiresAt: null },
  }
  const actorOf = async (): Promise<Actor> => {
    const { id } = (await tenant.admin.get('/auth/me')).body.data.user
    return {
      ...{ kind: 'user', userId: id, tenantId: tenant.id, homeTenantId: tenant.id, role: 'tenant_admin' },
      ...{ roles: [], permissions: noPermissions, operator: false, sessionId: null, keyId: null, authTime: null },
      ...{ amr: [], rateLimitPerMinute: null, tenantRequestsPerMinute: null, tenantStatus: 'active' },
    }
  }

  test('does not exist when that is rolled back, and stops nobody meanwhile', async () => {
    const actor = await actorOf()
    await expect(
      world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
        await activate(tx, actor, request)
        expect(matchKillSwitch()).toBeNull()
        throw new Error('the workflow failed')
      }),
    ).rejects.toThrow('the workflow failed')
    expect(matchKillSwitch()).toBeNull()
    expect((await tenant.admin.get(switches, { query: { value: 'joined-model', status: 'any' } })).body.data).toEqual(
      [],
    )
  })

  test('counts here from the commit on, and is acknowledged by every instance', async () => {
    const actor = await actorOf()
    const made = await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => activate(tx, actor, request))
    expect(matchKillSwitch()).toMatchObject({ id: made.id, source: 'platform' })
    const stored = async () => (await tenant.admin.get(switches, { query: { value: 'joined-model' } })).body.data[0]
    await expect.poll(stored, { timeout: 20_000 }).toMatchObject({ propagation: { nodes_total: 1, nodes_acked: 1 } })
  })

  test.each([
    [{ ...request, scope: 'tenant' }, 'API-001'],
    [{ ...request, value: null }, 'API-001'],
  ] as const)('is refused as at the door: %o', async (input, code) => {
    const actor = await actorOf()
    const failing = world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => activate(tx, actor, input))
    await expect(failing).rejects.toMatchObject({ code })
  })
})
