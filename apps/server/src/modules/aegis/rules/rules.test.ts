import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { installPack } from './installation/install.ts'
import { pack } from './pack/pack.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('aegis-rules')
})
afterAll(() => world?.close())

const path = '/aegis/detection-rules'
const detection = { selection: { channel: 'gateway.request.blocked' }, condition: 'selection' }
const native = { name: 'Blocked calls', type: 'match', category: 'gateway_request', detection }
const create = (over: object = {}) => tenant.admin.post(path, { ...native, ...over })
const made = async (over: object = {}) => expectStatus(await create(over), 201).body.data
const list = async (query: Record<string, string> = {}) =>
  expectStatus(await tenant.admin.get(path, { query: { limit: '200', ...query } }), 200).body.data
const patch = (id: string, body: object) => tenant.admin.patch(`${path}/${id}`, body)

describe('a rule', () => {
  test('is created, changed, disabled and archived', async () => {
    const rule = await made({ group_by: ['user_id'], tags: ['LLM01', 'attack.t1059'], level: 'high' })
    expect(rule).toMatchObject({
      source: 'native',
      status: 'enabled',
      health: { events: 0, fp_ratio: null, p99_us: null },
    })
    const condition = "event.channel == 'gateway.request.blocked' && event.data.monitor"
    const changed = expectStatus(await patch(rule.id, { condition, level: 'low' }), 200).body.data
    expect(changed).toMatchObject({ condition, detection: null, level: 'low', tags: ['LLM01', 'attack.t1059'] })
    for (const status of ['disabled', 'enabled', 'archived'])
      expect(expectStatus(await patch(rule.id, { status }), 200).body.data.status).toBe(status)
    expect(expectStatus(await patch(rule.id, { status: 'enabled' }), 409).body.error_code).toBe('AEGIS-002')
    expect((await list({ status: 'archived' })).map(({ id }: { id: string }) => id)).toEqual([rule.id])
  })

  test.each<[object, string, string]>([
    [{ condition: 'event.data.', detection: null }, 'AEGIS-004', '/condition'],
    [{ condition: 'event.nothing == 1', detection: null }, 'AEGIS-004', '/condition'],
    [{ condition: "event.data.x.matches('(?=a)')", detection: null }, 'AEGIS-004', '/condition'],
    [{ condition: 'true' }, 'AEGIS-013', '/condition'],
    [{ detection: { s: { 'a|expand': '%x%' }, condition: 's' } }, 'AEGIS-013', '/detection/s/a|expand'],
    [{ detection: { s: { 'a|re': '(a)\\1' }, condition: 's' } }, 'AEGIS-013', '/detection/s/a|re'],
    [{ type: 'threshold', window_seconds: 60 }, 'AEGIS-004', '/threshold'],
    [{ type: 'threshold', threshold: 3 }, 'AEGIS-004', '/window_seconds'],
    [{ type: 'new_value' }, 'AEGIS-004', '/field'],
    [{ type: 'correlation', window_seconds: 60 }, 'AEGIS-004', '/correlation'],
    [{ tags: ['LLM11'] }, 'API-001', '/tags/0'],
    [{ dry_run: true }, 'API-001', '/text'],
  ])('is refused where it cannot be used: %j', async (over, code, pointer) => {
    const before = (await list()).length
    const { body } = await create(over)
    expect([body.error_code, body.errors?.[0]?.pointer]).toEqual([code, pointer])
    expect((await list()).length).toBe(before)
  })

  test('that is shipped can be disabled and suppressed, not edited', async () => {
    const [rule] = await list({ q: 'Audit log was' })
    expect(rule).toMatchObject({ source: 'builtin', level: 'critical' })
    expect(expectStatus(await patch(rule.id, { level: 'low' }), 400).body.errors[0].pointer).toBe('/level')
    const expires_at = new Date(world.kernel.clock.now() + 86_400_000).toISOString()
    const suppressions = [{ match: { reason: 'gap' }, reason: 'Restored from a backup', expires_at }]
    const suppressed = expectStatus(await patch(rule.id, { suppressions, status: 'disabled' }), 200).body.data
    expect(suppressed).toMatchObject({ status: 'disabled', suppressions: [{ hits: 0, match: { reason: 'gap' } }] })
    await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
      await tx.execute(sql`update aegis_detection_rule set pack_version = 'older' where pack_key is not null`)
      await installPack(world.kernel, tx)
    })
    const [again] = await list({ q: 'Audit log was' })
    expect(again).toMatchObject({ id: rule.id, status: 'disabled', suppressions: [{ match: { reason: 'gap' } }] })
    expect(await list({ source: 'builtin' })).toHaveLength(pack.length)
  })
})

describe('an import', () => {
  const file = (name: string) => readFileSync(new URL(`./testing/${name}`, import.meta.url), 'utf8')
  const send = (text: string, over: object = {}) => tenant.admin.post(path, { format: 'sigma', text, ...over })
  const all = ['sigma-parapet.yml', 'sigma-foreign.yml', 'sigma-refused.yml'].map(file).join('---\n')

  test('of sixty rules stores those for our log sources and names the rest', async () => {
    const before = (await list()).length
    const dry = expectStatus(await send(all, { dry_run: true }), 200).body.data
    expect(dry).toMatchObject({ dry_run: true, documents: 60 })
    expect([dry.created.length, dry.refused.length]).toEqual([11, 49])
    expect((await list()).length).toBe(before)
    const report = expectStatus(await send(all), 200).body.data
    expect(report.created.every(({ id }: { id: string | null }) => id !== null)).toBe(true)
    expect(report.refused.every((fault: { construct: string }) => fault.construct.length > 0)).toBe(true)
    const stored = await list({ source: 'sigma' })
    expect(stored).toHaveLength(11)
    expect(stored[0]).toMatchObject({ status: 'enabled', source: 'sigma' })
  })

  test.each<[string, string, string | undefined]>([
    ['of what is no YAML', 'a: [', 'AEGIS-013'],
    [
      'of bombs',
      'a: &a [1]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]',
      'AEGIS-013',
    ],
    ['of one rule that is too large', `title: x\ndescription: "${'y'.repeat(70_000)}"`, 'AEGIS-013'],
    ['of nothing', '# nothing\n', 'API-001'],
    ['of too many documents', 'a: 1\n---\n'.repeat(501), 'API-001'],
  ])('%s changes nothing', async (_name, text, code) => {
    const before = (await list()).length
    expect((await send(text)).body.error_code).toBe(code)
    expect((await list()).length).toBe(before)
  })
})
