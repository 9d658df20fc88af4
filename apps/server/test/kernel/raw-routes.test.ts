import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { rawForms } from '../../src/kernel/http/raw-forms.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { type Route, routesOf } from '../../src/kernel/module/route.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'
import { secrets } from './probe-module.ts'
import { rawProbeRoutes } from './raw-probe.ts'

let world: NotesWorld
let tenantId: TenantId
let writer: TestClient

beforeAll(async () => {
  world = await openNotesWorld({ PARAPET_RATE_LIMIT_EXPENSIVE: '12' })
  tenantId = await world.tenant()
  writer = await world.person(tenantId)
})
afterAll(() => world.close())

const say = '/resilience/vendor/v1/say'

function refusal({ status, body, headers }: TestAnswer) {
  return { status, code: body.error.code, type: headers['content-type'], retry: headers['x-should-retry'] }
}
const inForm = (status: number, code: string) => ({
  status,
  code,
  type: 'application/json; charset=utf-8',
  retry: String(status >= 500),
})

describe('an answer in a vendor’s form', () => {
  test('wears no envelope and keeps members nobody declared', async () => {
    const answer = await writer.post(say, { say: 'hello', novelty: { deep: [1] } })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ say: 'hello', said: 'hello', novelty: { deep: [1] }, once: expect.any(String) })
    expect(answer.headers).toMatchObject({ 'x-by': 'probe', 'x-request-id': expect.stringMatching(/^req_/) })
    expect((await writer.get('/resilience/vendor/v1/said')).body).toEqual({ said: 'this', also: ['undeclared'] })
  })

  test('is given again for its key, when its guard lets it', async () => {
    const again = () => writer.post(say, { say: 'once' }, { headers: { 'idempotency-key': 'k1' } })
    const first = await again()
    const second = await again()
    expect([second.text, second.headers['idempotency-replayed'], second.headers['x-by']]).toEqual([
      first.text,
      'true',
      'probe',
    ])
    world.probe.refusesReplay = true
    expect(refusal(await again())).toEqual(inForm(500, 'API-008'))
    world.probe.refusesReplay = false
    expect(world.logged.some((line) => line.includes('not again: once by probe'))).toBe(true)
  })

  test('takes the key in either header', async () => {
    const key = world.apiKey(tenantId, null).token
    const answer = await world.stranger.post(say, { say: 'key' }, { headers: { 'x-api-key': key } })
    expect(answer.status).toBe(200)
  })
})

describe('an error in a vendor’s form', () => {
  test('is every error of its routes', async () => {
    const reader = await world.person(tenantId, ['risk:read'])
    expect(refusal(await world.stranger.post(say, { say: 'x' }))).toEqual(inForm(401, 'AUTH-001'))
    expect(refusal(await reader.post(say, { say: 'x' }))).toEqual(inForm(403, 'AUTH-004'))
    expect(refusal(await writer.post(say, '{'))).toEqual(inForm(400, 'API-002'))
    expect(refusal(await writer.post(say, { say: 'x'.repeat(300) }))).toEqual(inForm(413, 'API-005'))
    const media = { headers: { 'content-type': 'text/plain' } }
    expect(refusal(await writer.post(say, { say: 'x' }, media))).toEqual(inForm(415, 'API-006'))
    const invalid = await writer.post(say, { say: 5 })
    expect(refusal(invalid)).toEqual(inForm(400, 'API-001'))
    expect(invalid.body.error.at).toEqual(['/say'])
    expect(invalid.headers['x-vendor-request']).toBe(invalid.headers['x-request-id'])
    const failed = await writer.post(say, { say: 'fail' })
    expect(refusal(failed)).toEqual(inForm(500, 'API-008'))
    for (const secret of secrets) expect(failed.text).not.toContain(secret)
  })

  test('is also what addresses below the prefix answer that do not exist', async () => {
    for (const path of ['/resilience/vendor', '/resilience/vendor/v1/other', '/resilience/vendor/v9/a/b?c=d'])
      expect(refusal(await writer.post(path, {}))).toEqual(inForm(404, 'API-004'))
    const method = await writer.send('DELETE', say, {})
    expect(refusal(method)).toEqual(inForm(405, 'API-010'))
    expect(method.headers.allow).toBe('POST')
    expect((await writer.post('/resilience/vendors', {})).body.error_code).toBe('API-004')
  })

  test('is a limit that is used up', async () => {
    const other = await world.person(await world.tenant())
    for (let sent = 0; sent < 12; sent += 1) await other.post(say, { say: 'x' })
    const refused = await other.post(say, { say: 'x' })
    expect(refusal(refused)).toEqual(inForm(429, 'API-007'))
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  })
})

test('no route can wear the envelope below a vendor’s form', () => {
  const [raw] = rawProbeRoutes(
    () => false,
    () => new Error('unused'),
  )
  const mixed = routesOf<Kernel>().get('/vendor/v1/mixed', {
    permission: 'risk:read',
    summary: 'Mixed',
    returns: [200, Type.Object({})],
    handler: async () => ({}),
  })
  const placed = (route: Route) =>
    ({ module: 'resilience', path: `/api/v1/x${route.path}`, route, services: null }) as const
  if (raw === undefined) return expect.unreachable()
  expect(() => rawForms([placed(raw), placed(mixed)])).toThrow('wears the envelope')
  expect(rawForms([placed(raw)])('/api/v1/x/vendor/v2')).toBe(raw.raw)
})
