/** The network guard wherever an address of a provider is used: when it is changed, tested and called. */
import { beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { withProvider } from '../testing/one-provider.ts'
import { addProvider, ask } from '../testing/support.ts'
import { say } from '../testing/upstream.ts'

const here = withProvider('guarded')

/** Was allowed when it was registered, and is not any more. */
let id = ''
beforeAll(async () => {
  const { tenant, upstream, world } = here
  const made = await addProvider(tenant.admin, 'moved', upstream, { models: ['moved-*'], secrets: [] })
  id = made.id
  await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.execute(sql`update gateway_provider set base_url = 'https://10.1.2.3/v1' where id = ${made.id}`),
  )
})

test.each(['https://10.0.0.1/v1', 'http://169.254.169.254/latest', 'https://[::ffff:10.0.0.1]/v1'])(
  'C50 a provider that exists is not moved to %s',
  async (base_url) => {
    const [provider] = (await here.tenant.admin.get('/gateway/providers')).body.data.filter(
      ({ name }: { readonly name: string }) => name === 'local',
    )
    const secrets = [{ id: 'main', value: 'sk-test-0123456789abcdef' }]
    const answer = await here.tenant.admin.patch(`/gateway/providers/${provider.id}`, { base_url, secrets })
    expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-023'])
  },
)

test.each([
  ['http://10.1.2.3:11434', 'address_private', /not public \(private\).+PARAPET_GATEWAY_PRIVATE_UPSTREAMS/],
  ['http://93.184.215.14/v1', 'scheme', /called by https/],
  ['https://93.184.215.14:8443/v1', 'port', /PARAPET_EGRESS_PORTS/],
  ['http://169.254.169.254/v1', 'metadata', /which nobody may call/],
])('whoever names %s is told what to do about it', async (base_url, rule, told) => {
  const input = { name: 'elsewhere', kind: 'openai_compatible', base_url }
  const { body } = expectStatus(await here.tenant.admin.post('/gateway/providers', input), 422)
  expect(body.detail).toMatch(told)
  expect(body.errors).toMatchObject([{ detail: `Refused: ${rule}.`, pointer: '/base_url' }])
})

test('C50 a provider at an address that is private by now is not asked by its test', async () => {
  const answer = await here.tenant.admin.post(`/gateway/providers/${id}/test`, {})
  expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-023'])
})

test('C50 a call to it is a provider that was not reached, and the log says why', async () => {
  const { body } = expectStatus(await ask(here.tenant.admin, 'hello', { model: 'moved-1' }), 502)
  expect(body.error_code).toBe('GW-011')
  expect(JSON.stringify(body)).not.toMatch(/GW-023|private|10\.1/)
  const { attempts } = expectStatus(await here.tenant.admin.get(`/gateway/requests/${body.log_id}`), 200).body.data
  expect(attempts).toMatchObject([
    { ok: false, error_code: 'GW-023', reason: expect.stringMatching(/^refused_address/) },
  ])
})

test('such calls are found by the code, and no others', async () => {
  here.upstream.reply(say('Hello.'))
  expectStatus(await ask(here.tenant.admin, 'hello'), 200)
  const found = async (code: string) =>
    (await here.tenant.admin.get('/gateway/requests', { query: { code } })).body.data.map(
      ({ model }: { readonly model: string }) => model,
    )
  expect(await found('GW-023')).toEqual(['moved-1'])
  expect(await found('GW-011')).toEqual(['moved-1'])
  expect(await found('GW-012')).toEqual([])
})
