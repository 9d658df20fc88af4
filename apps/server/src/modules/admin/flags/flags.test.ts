import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { applySchedules } from './schedule.ts'
import { basicFlag, evaluateFlag } from './testing/flags.ts'

let world: World
let alpha: TestTenant
let beta: TestTenant
let services: AdminServices

beforeAll(async () => {
  world = await openWorld()
  alpha = await world.tenant('alpha')
  beta = await world.tenant('beta')
  services = world.program.assembled.modules.servicesOf('admin') as AdminServices
})
afterAll(() => world.close())

const create = (key: string, more: object = {}) =>
  alpha.admin.post('/admin/feature-flags', { ...basicFlag, key, ...more })
const patch = (key: string, body: object) => alpha.admin.patch(`/admin/feature-flags/${key}`, body)

const ask = (key: string, context: object = {}, tenant = alpha) => evaluateFlag(world, tenant, { key, context })

const serveOn = { id: 'all', serve: { variant: 'on' } }
const half = { id: 'half', serve: { variant: 'on' }, rollout_percentage: 50 }
const pro = { attribute: 'plan', operator: 'IN', values: ['pro'] }

describe('a flag', () => {
  test('is created, evaluated, changed with effect at once, archived and deleted', async () => {
    const made = expectStatus(await create('life', { rules: [serveOn] }), 201)
    expect(made.body.data).toMatchObject({ key: 'life', stale: false, exposures: [] })
    expect(await ask('life')).toMatchObject({ status: 200, value: true, variant: 'on', reason: 'TARGETING_MATCH' })
    expectStatus(await patch('life', { status: 'disabled' }), 200)
    expect(await ask('life')).toMatchObject({ value: false, reason: 'DISABLED' })
    const early = await alpha.admin.delete('/admin/feature-flags/life')
    expect(early).toMatchObject({ status: 409, body: { error_code: 'ADM-006' } })
    expectStatus(await patch('life', { status: 'archived' }), 200)
    expect(await ask('life')).toMatchObject({ status: 404, key: 'life', errorCode: 'FLAG_NOT_FOUND' })
    expectStatus(await alpha.admin.delete(`/admin/feature-flags/${made.body.data.id}`), 200)
    expect((await alpha.admin.get('/admin/feature-flags/life')).status).toBe(404)
  })

  test('is refused with a pointer to each part that is wrong', async () => {
    const wrong = await create('wrong', {
      variants: [{ key: 'on', value: 'yes' }],
      rules: [
        { id: 'a', serve: {}, constraints: [{ attribute: 'x', operator: 'REGEX', values: ['(?=a)'] }] },
        { id: 'a', serve: { variant: 'none' } },
      ],
      overrides: [{ variant: 'on' }],
    })
    expect(wrong).toMatchObject({ status: 422, body: { error_code: 'ADM-004' } })
    expect(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/variants/0/value',
      '/default_variant',
      '/off_variant',
      '/rules',
      '/rules/0/serve',
      '/rules/0/constraints/0',
      '/rules/1/serve/variant',
      '/overrides/0',
    ])
    const rules = Array.from({ length: 101 }, (_, n) => ({ ...serveOn, id: `r${n}` }))
    expect(await create('many', { rules })).toMatchObject({ status: 400, body: { error_code: 'API-001' } })
    expect((await alpha.admin.post('/admin/feature-flags', { key: 'bare' })).body.errors).toHaveLength(4)
    const huge = { ...basicFlag, key: 'huge', description: 'x'.repeat(2_000_000) }
    expect((await alpha.admin.post('/admin/feature-flags', huge)).status).toBe(413)
    expectStatus(await create('twice'), 201)
    expect(await create('twice')).toMatchObject({ status: 409, body: { error_code: 'API-011' } })
  })

  test('needs others that are there and never itself, and is kept while others need it', async () => {
    expect(await create('lost', { prerequisites: [{ flag: 'nowhere' }] })).toMatchObject({
      status: 422,
      body: { error_code: 'ADM-005', errors: [{ pointer: '/prerequisites/0/flag' }] },
    })
    expectStatus(await create('base'), 201)
    expectStatus(await create('middle', { prerequisites: [{ flag: 'base' }], rules: [serveOn] }), 201)
    expect((await patch('base', { prerequisites: [{ flag: 'middle' }] })).body.error_code).toBe('ADM-005')
    expect(await ask('middle')).toMatchObject({ variant: 'off' })
    expectStatus(await patch('base', { rules: [serveOn] }), 200)
    expect(await ask('middle')).toMatchObject({ variant: 'on' })
    expectStatus(await patch('base', { status: 'disabled' }), 200)
    expect((await patch('base', { status: 'archived' })).body.error_code).toBe('ADM-006')
  })

  test('uses segments, which are a setting, from their change on', async () => {
    const segmented = { ...serveOn, segment_ids: ['paying'] }
    expect((await create('segmented', { rules: [segmented] })).body.error_code).toBe('ADM-005')
    const segments = (values: readonly string[]) =>
      alpha.admin.patch('/admin/config', {
        values: { 'flags.segments': { paying: { constraints: [{ ...pro, values }] } } },
        comment: 'Who pays',
      })
    expectStatus(await segments(['pro']), 200)
    expectStatus(await create('segmented', { rules: [segmented] }), 201)
    expect(await ask('segmented', { plan: 'pro' })).toMatchObject({ variant: 'on' })
    expectStatus(await segments(['team']), 200)
    expect(await ask('segmented', { plan: 'pro' })).toMatchObject({ variant: 'off' })
  })

  test('explains rule by rule what it serves', async () => {
    expectStatus(await create('explained', { rules: [{ ...serveOn, id: 'pro', constraints: [pro] }, half] }), 201)
    const path = '/admin/feature-flags/explained'
    const explained = await alpha.admin.get(path, { query: { explain_for: '{"plan":"free"}' } })
    expect(expectStatus(explained, 200).body.data.explanation).toMatchObject({
      variant: 'off',
      reason: 'DEFAULT',
      trace: [
        { step: 'status', matched: true },
        { step: 'rule', name: 'pro', matched: false },
        { step: 'rule', name: 'half', matched: false },
        { step: 'default', name: 'off', matched: true },
      ],
    })
    expect(await alpha.admin.get(path, { query: { explain_for: '[1]' } })).toMatchObject({ status: 400 })
  })

  test('says before a change whom it would move, and moves nobody', async () => {
    expectStatus(await create('moving', { rules: [half] }), 201)
    for (let n = 0; n < 60; n += 1) await ask('moving', { targetingKey: `user-${n}` })
    const tried = expectStatus(await patch('moving', { rules: [], dry_run: true }), 200).body.data
    expect(tried.impact.moves).toEqual([{ from: 'on', to: 'off', count: tried.impact.changed }])
    expect(tried.impact.changed).toBeGreaterThan(10)
    expect(expectStatus(await alpha.admin.get('/admin/feature-flags/moving'), 200).body.data.rules).toHaveLength(1)
  })

  test('counts what it serves and is stale when that has been the same for long', async () => {
    expectStatus(await create('counted', { rules: [serveOn] }), 201)
    for (let n = 0; n < 3; n += 1) await ask('counted')
    await services.exposures.flush()
    const read = async () => expectStatus(await alpha.admin.get('/admin/feature-flags/counted'), 200).body.data
    expect(await read()).toMatchObject({ exposures: [{ variant: 'on', count: 3 }], stale: false })
    await world.kernel.db.tenant({ tenantId: alpha.id }, (tx) =>
      tx.execute(sql`update admin_flag set updated_at = updated_at - interval '61 days' where key = 'counted'`),
    )
    expect(await read()).toMatchObject({ stale: true })
    const stale = expectStatus(await alpha.admin.get('/admin/feature-flags', { query: { stale: 'true' } }), 200).body
    expect(stale.data.map(({ key }: { key: string }) => key)).toEqual(['counted'])
    const fresh = expectStatus(await alpha.admin.get('/admin/feature-flags', { query: { stale: 'false' } }), 200).body
    expect(fresh.data.map(({ key }: { key: string }) => key)).not.toContain('counted')
  })

  test('changes at the time it was told to', async () => {
    const at = (ms: number) => new Date(world.kernel.clock.now() + ms).toISOString()
    const schedule = [
      { at: at(-1000), change: { rule_id: 'half', rollout_percentage: 100 } },
      { at: at(3_600_000), change: { status: 'disabled' } },
    ]
    expectStatus(await create('timed', { rules: [{ ...half, rollout_percentage: 0 }], schedule }), 201)
    expect(await ask('timed', { targetingKey: 'u' })).toMatchObject({ variant: 'off' })
    await applySchedules(world.kernel, alpha.id)
    expect(await ask('timed', { targetingKey: 'u' })).toMatchObject({ variant: 'on' })
    const kept = expectStatus(await alpha.admin.get('/admin/feature-flags/timed'), 200).body.data
    expect(kept.schedule).toEqual([schedule[1]])
  })

  test('is its tenant’s alone', async () => {
    expectStatus(await create('ours', { rules: [serveOn] }), 201)
    expect(await ask('ours', {}, beta)).toMatchObject({ status: 404 })
    expectStatus(await beta.admin.post('/admin/feature-flags', { ...basicFlag, key: 'ours' }), 201)
    expect(await ask('ours', {}, beta)).toMatchObject({ variant: 'off' })
    expect(await ask('ours')).toMatchObject({ variant: 'on' })
  })
})

describe('an import', () => {
  const unleash = {
    version: 2,
    features: [
      { name: 'New Checkout', enabled: true, strategies: [{ name: 'userWithId', parameters: { userIds: '7, 8' } }] },
      { name: 'odd', enabled: true, strategies: [{ name: 'madeUp' }] },
    ],
  }
  const run = (format: string, document: object, dry_run = false) =>
    alpha.admin.post('/admin/feature-flags', { import: { format, document, dry_run } })

  test('reports what becomes of each flag, and does it only without dry_run', async () => {
    const tried = expectStatus(await run('unleash', unleash, true), 201).body.data
    expect(tried.flags).toMatchObject([
      { name: 'New Checkout', key: 'newu20checkout', outcome: 'created', warnings: [] },
      { name: 'odd', outcome: 'created', warnings: [expect.stringContaining('madeUp')] },
    ])
    expect((await ask('newu20checkout')).status).toBe(404)
    expectStatus(await run('unleash', unleash), 201)
    expect(await ask('newu20checkout', { targetingKey: '8' })).toMatchObject({ value: true })
    expect(await ask('newu20checkout', { targetingKey: '9' })).toMatchObject({ value: false })
    const again = expectStatus(await run('unleash', unleash), 201).body.data
    expect(again.flags.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['exists', 'exists'])
  })

  test('takes flagd’s form, and refuses what is neither', async () => {
    const flags = { welcome: { state: 'ENABLED', variants: { a: 'A', b: 'B' }, defaultVariant: 'b' } }
    expectStatus(await run('flagd', { flags }), 201)
    expect(await ask('welcome')).toMatchObject({ value: 'B', reason: 'STATIC' })
    expect(await run('unleash', {})).toMatchObject({ status: 422, body: { error_code: 'ADM-004' } })
    const mixed = await alpha.admin.post('/admin/feature-flags', {
      key: 'a',
      import: { format: 'flagd', document: {} },
    })
    expect(mixed).toMatchObject({ status: 400, body: { errors: [{ pointer: '/import' }] } })
  })
})
