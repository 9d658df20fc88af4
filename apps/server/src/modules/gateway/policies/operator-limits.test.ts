import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld({ environment: { PARAPET_GATEWAY_BODY_BYTES: '65536', PARAPET_EGRESS_PORTS: '8443' } })
  tenant = await world.tenant('narrow')
})

afterAll(() => world?.close())

const paths = ['/gateway/chat/completions', '/gateway/openai/v1/chat/completions', '/gateway/anthropic/v1/messages']

test.each(paths)('a call of more than the operator allows is refused at %s, and one that fits is not', async (path) => {
  const body = (length: number) => ({
    model: 'echo-1',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'a '.repeat(length / 2) }],
  })
  expect((await tenant.admin.post(path, body(66_000))).status).toBe(413)
  expect((await tenant.admin.post(path, body(30_000))).status).toBe(200)
})

test('other routes keep their own limit', async () => {
  const document = { content: { denied_terms: [{ id: 'a', terms: ['x'], match: 'word', action: 'flag' }] } }
  const description = 'd'.repeat(1500)
  const large = await tenant.admin.post('/gateway/policies', { name: 'wide', description, document })
  expect(large.status).toBe(201)
  const tooLarge = await tenant.admin.post('/gateway/policies', {
    name: 'wider',
    description: 'd'.repeat(70_000),
    document,
  })
  expect(tooLarge.status).toBe(400)
})

test('providers may have the ports besides 443 that the operator allows, and no others', async () => {
  const register = (port: number) => {
    const secrets = [{ id: 'main', value: 'sk-test-0123456789abcdef' }]
    const place = { name: `at-${port}`, kind: 'openai_compatible', base_url: `https://8.8.8.8:${port}/v1` }
    return tenant.admin.post('/gateway/providers', { ...place, secrets })
  }
  expect((await register(8443)).status).toBe(201)
  const refused = await register(9443)
  expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-023'])
})
