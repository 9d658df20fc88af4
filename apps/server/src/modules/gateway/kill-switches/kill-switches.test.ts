import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { hang, openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: OwnWorld
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld({ own: true })
  upstream = await openUpstream()
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const reason = 'an exercise of the incident team'

async function newTenant(slug: string): Promise<TestTenant> {
  const tenant = await world.tenant(slug)
  await addProvider(tenant.admin, 'local', upstream)
  upstream.reply(say('Hello.'))
  return tenant
}

const idOf = async (client: TestClient): Promise<string> => (await client.get('/auth/me')).body.data.user.id

const activate = (tenant: TestTenant, body: object) => tenant.admin.post('/gateway/kill-switches', { reason, ...body })

describe('a kill switch', () => {
  test('stops the tenant at once and no other tenant', async () => {
    const [tenant, other] = [await newTenant('kill-one'), await newTenant('kill-two')]
    const made = await activate(tenant, { scope: 'tenant' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      status: 'active',
      level: 'hard',
      propagation: { nodes_total: 1, nodes_acked: 1 },
    })
    const refused = await ask(tenant.admin, 'hello')
    expect([refused.status, refused.body.error_code]).toEqual([503, 'GW-010'])
    expect(refused.body.detail).toContain(reason)
    expect((await ask(other.admin, 'hello')).status).toBe(200)
  })

  test('refuses an answer from the cache too', async () => {
    const tenant = await newTenant('kill-cache')
    await onlyPolicy(tenant, { cache: { mode: 'exact' } })
    const exact = { cache: { mode: 'exact' } }
    await ask(tenant.admin, 'cached', exact)
    expect((await ask(tenant.admin, 'cached', exact)).body.data.cache).toBe('hit')
    await activate(tenant, { scope: 'model', value: 'test-model' })
    expect((await ask(tenant.admin, 'cached', exact)).body.error_code).toBe('GW-010')
  })

  test('aborts calls under way at the provider', async () => {
    const tenant = await newTenant('kill-hard')
    upstream.reply(hang)
    const arrived = upstream.next()
    const running = ask(tenant.admin, 'long work')
    const call = await arrived
    const made = await activate(tenant, { scope: 'provider', value: 'local' })
    expect(made.body.data.propagation.inflight_aborted).toBe(1)
    await call.closed
    expect((await running).body.error_code).toBe('GW-010')
  })

  test('lets an exempt person through', async () => {
    const tenant = await newTenant('kill-except')
    const me = (await tenant.admin.get('/auth/me')).body.data
    await activate(tenant, { scope: 'model', value: 'test-model', except: [me.id ?? me.user.id] })
    expect((await ask(tenant.admin, 'hello')).status).toBe(200)
    expect((await ask(await tenant.as('ai_engineer'), 'hello')).body.error_code).toBe('GW-010')
  })

  test('of a narrow scope is ended by one person, once', async () => {
    const tenant = await newTenant('kill-end')
    const { id } = (await activate(tenant, { scope: 'model', value: 'test-model' })).body.data
    const ended = await tenant.admin.post(`/gateway/kill-switches/${id}/deactivate`, { reason })
    expect(ended.body.data.status).toBe('deactivated')
    expect((await ask(tenant.admin, 'hello')).status).toBe(200)
    const again = await tenant.admin.post(`/gateway/kill-switches/${id}/deactivate`, { reason })
    expect([again.status, again.body.error_code]).toEqual([409, 'GW-030'])
    const list = await tenant.admin.get('/gateway/kill-switches', { query: { status: 'any' } })
    expect(list.body.data).toHaveLength(1)
    expect((await tenant.admin.get('/gateway/kill-switches')).body.data).toHaveLength(0)
  })

  test('of the tenant takes two people where there are two', async () => {
    const tenant = await newTenant('kill-pair')
    const second = await tenant.as('tenant_admin')
    const { id } = (await activate(tenant, { scope: 'tenant' })).body.data
    const path = `/gateway/kill-switches/${id}/deactivate`
    const first = await tenant.admin.post(path, { reason })
    expect([first.status, first.body.error_code]).toEqual([403, 'AEGIS-009'])
    const { confirm_token } = first.body
    // C19: invited with a link that the first saw, until then.
    expect((await second.post(path, { reason, confirm_token })).body.error_code).toBe('AEGIS-009')
    await ownCredentials(world, tenant.id)
    expect((await tenant.admin.post(path, { reason, confirm_token })).body.error_code).toBe('AEGIS-009')
    expect((await second.post(path, { reason, confirm_token: `${confirm_token}x` })).body.error_code).toBe('AEGIS-009')
    expect((await second.post(path, { reason, confirm_token })).body.data.status).toBe('deactivated')
  })

  test('of the tenant is ended by the only administrator after confirming', async () => {
    const tenant = await newTenant('kill-alone')
    const { id } = (await activate(tenant, { scope: 'tenant' })).body.data
    const path = `/gateway/kill-switches/${id}/deactivate`
    const { confirm_token } = (await tenant.admin.post(path, { reason })).body
    expect((await tenant.admin.post(path, { reason, confirm_token })).status).toBe(200)
  })

  test('of the tenant is not ended by one person with two credentials, nor by a service account', async () => {
    const tenant = await newTenant('kill-keys')
    const second = await tenant.as('tenant_admin')
    await ownCredentials(world, tenant.id)
    const { id } = (await activate(tenant, { scope: 'tenant' })).body.data
    const path = `/gateway/kill-switches/${id}/deactivate`
    const scopes = { name: 'script', scopes: ['gateway:admin'] }
    const own = expectStatus(await tenant.admin.post('/iam/api-keys', scopes), 201).body.data
    const roles = (await tenant.admin.get('/iam/roles')).body.data as { id: string; name: string }[]
    const role_ids = roles.filter(({ name }) => name === 'tenant_admin').map((role) => role.id)
    const robot = expectStatus(
      await tenant.admin.post('/iam/users', { type: 'service', display_name: 'Robot', role_ids }),
      201,
    ).body.data
    const robots = expectStatus(await tenant.admin.post('/iam/api-keys', { ...scopes, owner_id: robot.id }), 201).body
      .data
    const { confirm_token } = (await tenant.admin.post(path, { reason })).body
    for (const secret of [own.secret, robots.secret]) {
      const answer = await world.stranger.post(path, { reason, confirm_token }, { headers: { 'x-api-key': secret } })
      expect([answer.status, answer.body.error_code]).toEqual([403, 'AEGIS-009'])
    }
    const asked = await world.stranger.post(path, { reason }, { headers: { 'x-api-key': robots.secret } })
    expect(asked.body.error_code).toBe('AEGIS-009')
    expect(asked.body).not.toHaveProperty('confirm_token')
    expect((await second.post(path, { reason, confirm_token })).body.data.status).toBe('deactivated')
  })

  test.each([
    ['model', 'test-model'],
    ['provider', 'local'],
    ['tenant', undefined],
  ])('of the scope %s is not passed by sending a call again with its key', async (scope, value) => {
    const tenant = await newTenant(`kill-again-${scope}`)
    const body = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }] }
    const send = () => tenant.admin.post('/gateway/chat/completions', body, { headers: { 'idempotency-key': 'once' } })
    const first = await send()
    expect((await send()).body.data.id).toBe(first.body.data.id)
    const made = await activate(tenant, { scope, value })
    const refused = await send()
    expect([refused.status, refused.body.error_code]).toEqual([503, 'GW-010'])
    expect(refused.text).not.toContain('Hello.')
    if (scope === 'tenant') return
    await tenant.admin.post(`/gateway/kill-switches/${made.body.data.id}/deactivate`, { reason })
    expect((await send()).body.data.id).toBe(first.body.data.id)
  })

  test('of a provider that is gone holds for its stored answers too', async () => {
    const tenant = await world.tenant('kill-gone')
    upstream.reply(say('Hello.'))
    const provider = await addProvider(tenant.admin, 'local', upstream)
    const body = { model: 'local/test-model', messages: [{ role: 'user', content: 'hello' }] }
    const send = () => tenant.admin.post('/gateway/chat/completions', body, { headers: { 'idempotency-key': 'once' } })
    expectStatus(await send(), 200)
    await activate(tenant, { scope: 'provider', value: 'local' })
    expectStatus(await tenant.admin.patch(`/gateway/providers/${provider.id}`, { status: 'disabled' }), 200)
    expect((await send()).body.error_code).toBe('GW-010')
  })

  test('is listed by the time of its activation, with an entity tag that ends it', async () => {
    const tenant = await newTenant('kill-list')
    const { id, created_at } = (await activate(tenant, { scope: 'model', value: 'test-model' })).body.data
    const listed = async (query: Record<string, string>) =>
      (await tenant.admin.get('/gateway/kill-switches', { query })).body.data
    const [item] = await listed({ from: created_at })
    expect(item.id).toBe(id)
    expect(await listed({ to: created_at })).toEqual([])
    const path = `/gateway/kill-switches/${id}/deactivate`
    const stale = await tenant.admin.post(path, { reason }, { headers: { 'if-match': '"9-x"' } })
    expect([stale.status, stale.body.error_code]).toEqual([412, 'API-012'])
    expect((await tenant.admin.post(path, { reason }, { headers: { 'if-match': item.etag } })).status).toBe(200)
  })

  test('takes no other name of a model, which would stop nobody, and says what to name', async () => {
    const tenant = await newTenant('kill-alias')
    const models = (await tenant.admin.get('/gateway/models', { query: { q: 'echo-1' } })).body.data
    const [{ id, provider, name }] = models
    const { body } = await tenant.admin.patch(`/gateway/models/${id}`, { aliases: ['quick'] })
    expect(body.data).toMatchObject({ aliases: ['quick'] })
    const refused = await activate(tenant, { scope: 'model', value: 'quick' })
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-001'])
    const said = /quick is another name of (\S+)\. /.exec(refused.body.detail)?.[1]
    expect([`${provider}/${name}`, said]).toEqual([said, said])
    expect((await activate(tenant, { scope: 'model', value: said })).status).toBe(201)
    const stopped = await ask(tenant.admin, 'Hi', { model: 'quick' })
    expect([stopped.status, stopped.body.error_code]).toEqual([503, 'GW-010'])
  })

  test('cannot be set twice for the same thing', async () => {
    const tenant = await newTenant('kill-twice')
    const value = await idOf(tenant.admin)
    await activate(tenant, { scope: 'user', value })
    expect((await activate(tenant, { scope: 'user', value })).body.error_code).toBe('GW-030')
  })

  describe('of a person, a key or an agent', () => {
    const keyOf = async ({ admin }: TestTenant) =>
      expectStatus(await admin.post('/iam/api-keys', { name: 'Key', scopes: ['gateway:write'] }), 201).body.data

    test('takes the id of nobody no more than that of another tenant, and says the same of both', async () => {
      const [tenant, other] = [await newTenant('kill-nobody'), await newTenant('kill-foreign')]
      const person = await idOf(other.admin)
      const foreign = { user: person, key: (await keyOf(other)).id, agent: person }
      const nobody = '01a20000-0000-7000-8000-000000000000'
      for (const [scope, value] of Object.entries(foreign)) {
        const refusals = [nobody, value].map(async (id) => {
          const { status, body } = await activate(tenant, { scope, value: id })
          return [status, body.error_code, body.detail.replace(id, 'ID'), body.errors[0].pointer]
        })
        const [unknown, others] = await Promise.all(refusals)
        expect(unknown).toEqual([422, 'GW-001', `There is no ${scope} ID.`, '/value'])
        expect(others).toEqual(unknown)
      }
      expect((await tenant.admin.get('/gateway/kill-switches')).body.data).toEqual([])
    })

    test('takes an id as it is written in the log, and no other spelling, which would stop nobody', async () => {
      const tenant = await newTenant('kill-spelled')
      const id = await idOf(tenant.admin)
      for (const value of ['someone', id.toUpperCase(), id.replaceAll('-', '')])
        expect((await activate(tenant, { scope: 'user', value })).body.error_code).toBe('GW-001')
      expect((await activate(tenant, { scope: 'user', value: id })).status).toBe(201)
      expect((await ask(tenant.admin, 'hello')).body.error_code).toBe('GW-010')
    })

    test('takes a key that was revoked a moment ago, and an account that is closed', async () => {
      const tenant = await newTenant('kill-revoked')
      const { id } = await keyOf(tenant)
      expectStatus(await tenant.admin.delete(`/iam/api-keys/${id}`), 200)
      expect((await activate(tenant, { scope: 'key', value: id })).status).toBe(201)
    })

    test('takes whoever called here, as an operator does', async () => {
      const tenant = await newTenant('kill-operator')
      const id = await idOf(world.operator)
      expect((await activate(tenant, { scope: 'user', value: id })).body.error_code).toBe('GW-001')
      const body = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }] }
      const call = () =>
        world.operator.post('/gateway/chat/completions', body, { headers: { 'x-tenant-id': tenant.id } })
      expectStatus(await call(), 200)
      expect((await activate(tenant, { scope: 'user', value: id })).status).toBe(201)
      expect((await call()).body.error_code).toBe('GW-010')
    })

    test('lets nobody through by an id that nobody has', async () => {
      const tenant = await newTenant('kill-except-nobody')
      const except = [await idOf(tenant.admin), '01a20000-0000-7000-8000-000000000000']
      const { status, body } = await activate(tenant, { scope: 'model', value: 'test-model', except })
      expect([status, body.error_code, body.errors[0].pointer]).toEqual([422, 'GW-001', '/except/1'])
    })
  })

  test.each([
    [{ scope: 'tenant', value: 'x' }, 400, 'API-001'],
    [{ scope: 'model' }, 400, 'API-001'],
    [{ scope: 'provider', value: 'nobody' }, 422, 'GW-001'],
    [{ scope: 'model', value: 'local/none' }, 422, 'GW-001'],
    [{ scope: 'route', value: 'nowhere' }, 422, 'GW-001'],
    [{ scope: 'platform' }, 403, 'AUTH-004'],
    [{ scope: 'tenant', expires_at: '2020-01-01T00:00:00.000Z' }, 400, 'API-001'],
  ])('%j is refused', async (body, status, code) => {
    const tenant = await world.tenant(`kill-bad${JSON.stringify(body).length}`)
    const answer = await activate(tenant, body)
    expect([answer.status, answer.body.error_code]).toEqual([status, code])
  })

  test('of the platform stops every tenant without telling why', async () => {
    const tenant = await newTenant('kill-all')
    const made = await world.operator.post('/gateway/kill-switches', { scope: 'platform', reason })
    const refused = await ask(tenant.admin, 'hello')
    expect(refused.body.error_code).toBe('GW-010')
    expect(refused.text).not.toContain(reason)
    const path = `/gateway/kill-switches/${made.body.data.id}/deactivate`
    expect((await tenant.admin.post(path, { reason })).status).toBe(404)
    expect((await world.operator.post(path, { reason })).body.data.status).toBe('deactivated')
    expect((await ask(tenant.admin, 'hello')).status).toBe(200)
  })
})
