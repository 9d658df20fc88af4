/** Faults in real calls of the running server, made with the client of OpenAI; of one tenant, beside another. */
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { makeRoute } from '../../gateway/testing/misbehave.ts'
import { addProvider } from '../../gateway/testing/support.ts'
import { openUpstream, say, streamed, type Upstream } from '../../gateway/testing/upstream.ts'
import type { FaultBody } from '../declared/scenario-schema.ts'
import { kindsOf, type Lab, openLab, patience } from '../testing/resilience-world.ts'

let world: World
let lab: Lab
let spared: TestTenant
let upstream: Upstream
let other: Upstream
let openai: OpenAI
let sparedOpenai: OpenAI

const constant = (value: number) => ({ type: 'constant', value }) as const
const onCalls = (kind: FaultBody['kind'], more: Partial<FaultBody> = {}): FaultBody => ({
  ...{ seam: 'upstream', kind, targets: ['local/*'] },
  ...more,
})

beforeAll(async () => {
  world = await openWorld()
  ;[upstream, other] = [await openUpstream(), await openUpstream()]
  lab = await openLab(world, 'chaos')
  spared = await world.tenant('spared')
  for (const { admin } of [lab.tenant, spared]) await addProvider(admin, 'local', upstream)
  openai = await clientOf(lab.tenant)
  sparedOpenai = await clientOf(spared)
})
afterAll(async () => {
  await upstream?.close()
  await other?.close()
  await world?.close()
})

async function clientOf({ admin }: TestTenant): Promise<OpenAI> {
  const scopes = ['gateway:write']
  const made = expectStatus(await admin.post('/iam/api-keys', { name: 'chaos', scopes }), 201).body.data
  const baseURL = `${await world.address()}/api/v1/gateway/openai/v1`
  return new OpenAI({ apiKey: made.secret, baseURL, maxRetries: 0 })
}

let asked = 0
/** Never twice the same, so that no cache answers. */
const question = (model = 'test-model') => {
  asked += 1
  return { model, messages: [{ role: 'user' as const, content: `Question ${asked}` }] }
}
const ask = (client: OpenAI, model?: string) => client.chat.completions.create(question(model))
const textOf = ({ choices }: OpenAI.Chat.ChatCompletion) => choices[0]?.message.content

const failures = (over: object = {}) => ({
  ...{ name: 'failures', kind: 'metric', metric: 'failed', window_seconds: 3600 },
  tolerance: { type: 'max', value: 0 },
  ...over,
})

test('a delay holds calls of one tenant back, touches no other tenant, and lets them go when it ends', async () => {
  upstream.reply(say('Hello.'))
  const id = await lab.inject([onCalls('latency', { delay_ms: constant(600_000) })])
  const before = upstream.received.length
  const held = ask(openai)
  await expect.poll(async () => (await lab.see(id)).affected_calls, patience).toBe(1)
  expect(upstream.received).toHaveLength(before)
  for (let i = 0; i < 5; i += 1) expect(textOf(await ask(sparedOpenai))).toBe('Hello.')
  expect(upstream.received).toHaveLength(before + 5)
  await lab.act(id, 'finish')
  expect(textOf(await held)).toBe('Hello.')
  const done = await lab.until(id, 'completed')
  expect(done).toMatchObject({ affected_calls: 1, verdict: 'inconclusive', abort_cause: null })
  const faults = done.journal.filter(({ kind }: { kind: string }) => kind === 'fault')
  expect(faults).toEqual([
    expect.objectContaining({
      data: {
        ...{ seam: 'upstream', target: 'local/test-model', fault: 'latency', delay_ms: 600_000 },
        request_id: expect.any(String),
      },
    }),
  ])
  expect(textOf(await ask(openai))).toBe('Hello.')
})

test('a 429 in the vendor’s form makes the gateway fall back to the next target', async () => {
  upstream.reply(say('first'))
  other.reply(say('second'))
  // The gateway lets the key rest for as long as the vendor asked, also after the experiment.
  const limited = await openLab(world, 'limited')
  const { admin } = limited.tenant
  await addProvider(admin, 'local', upstream)
  await addProvider(admin, 'other', other)
  const client = await clientOf(limited.tenant)
  const targets = ['local', 'other'].map((provider) => ({ provider, model: 'test-model' }))
  const { name } = await makeRoute(admin, targets)
  expect(textOf(await ask(client, name))).toBe('first')
  const id = await limited.inject([onCalls('rate_limit', { retry_after_seconds: 7 })])
  expect(textOf(await ask(client, name))).toBe('second')
  await expect(ask(client, 'local/test-model')).rejects.toMatchObject({ status: 429 })
  await limited.act(id, 'abort', { note: 'seen enough' })
  const aborted = await limited.until(id, 'aborted')
  expect(aborted).toMatchObject({ abort_cause: 'person', verdict: 'inconclusive' })
  expect(aborted.affected_calls).toBeGreaterThanOrEqual(1)
})

test('an experiment hits at most the calls that it may, and then ends by itself', async () => {
  upstream.reply(say('Hello.'))
  const id = await lab.inject([onCalls('malformed')], { blast_radius: { percentage: 100, max_affected_calls: 2 } })
  const ends = await Promise.allSettled(Array.from({ length: 8 }, () => ask(openai)))
  expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(6)
  expect((await lab.until(id, 'completed')).affected_calls).toBe(2)
})

test('a stream is cut off in the middle of its answer', async () => {
  upstream.reply(streamed(['one ', 'two ', 'three ', 'four ']))
  const id = await lab.inject([onCalls('reset', { after_pieces: 2 })])
  let text = ''
  const read = async () => {
    const stream = await openai.chat.completions.create({ ...question(), stream: true })
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
  }
  await expect(read()).rejects.toThrow()
  expect(text).not.toContain('three')
  await lab.act(id, 'finish')
  await lab.until(id, 'completed')
})

test('a breached guard aborts, and the next call is clean', async () => {
  upstream.reply(say('Hello.'))
  const tenantLab = await openLab(world, 'guarded')
  await addProvider(tenantLab.tenant.admin, 'local', upstream)
  const client = await clientOf(tenantLab.tenant)
  const guards = [failures({ hard: true })]
  const id = await tenantLab.inject([onCalls('error', { status: 400 })], { guards })
  await expect(ask(client)).rejects.toMatchObject({ status: 422 })
  const aborted = await tenantLab.until(id, 'aborted')
  expect(aborted).toMatchObject({ abort_cause: 'guard: failures', status: 'aborted' })
  expect(kindsOf(aborted)).toContain('stopped')
  expect(textOf(await ask(client))).toBe('Hello.')
})

test('the recovery that an experiment measured stands beside the predicted one', async () => {
  upstream.reply(say('Hello.'))
  const measured = await openLab(world, 'measured')
  const { admin } = measured.tenant
  await addProvider(admin, 'local', upstream)
  const client = await clientOf(measured.tenant)
  const service = {
    ...{ key: 'gateway', name: 'AI gateway', kind: 'application', criticality: 5 },
    recovery_steps: [{ step: 'restore', distribution: { type: 'constant', value: 10 } }],
    objectives: { rto_minutes: 30 },
  }
  expectStatus(await admin.patch('/resilience/model', { mode: 'merge', services: [service] }), 200)
  const probes = [failures({ name: 'answered', metric: 'calls', tolerance: { type: 'min', value: 0 } })]
  const id = await measured.inject(
    [onCalls('latency', { delay_ms: constant(1) })],
    { services: ['gateway'] },
    probes as never,
  )
  expect(textOf(await ask(client))).toBe('Hello.')
  await expect
    .poll(async () => kindsOf(await measured.see(id)).filter((kind) => kind === 'probe').length, patience)
    .toBeGreaterThan(2)
  await measured.act(id, 'finish')
  const done = await measured.until(id, 'completed')
  expect(done).toMatchObject({ verdict: 'hypothesis_met', measured: { rto_minutes: 0 } })
  expect(done.expected.predicted).toEqual([
    { service: 'gateway', rto_p50_minutes: 10, rto_p95_minutes: 10, p_within: 1 },
  ])
  const [row] = expectStatus(await admin.get('/resilience/rto-rpo?service=gateway'), 200).body.data
  expect(row.rto).toMatchObject({
    predicted: { evidence: 'declared', p50: 10, verdict: 'met' },
    measured: { evidence: 'experiment', n: 1, p50: 0, verdict: 'uncertain' },
    ...{ verdict: 'met', decided_by: 'declared' },
  })
})

describe('the safety lever', () => {
  test('stops everything of the tenant, and nothing starts until it is released', async () => {
    upstream.reply(say('Hello.'))
    const id = await lab.inject([onCalls('unavailable')])
    const path = '/resilience/chaos/experiments'
    const engaged = await lab.act('all', 'engage_lever', { note: 'an incident' })
    expect(engaged.lever).toEqual({ tenant: true, platform: false })
    expect(textOf(await ask(openai))).toBe('Hello.')
    expect(await lab.until(id, 'aborted')).toMatchObject({ abort_cause: 'lever' })
    const body = {
      ...{ scenario_id: await lab.scenario([onCalls('unavailable')]), mode: 'automated', ttl_seconds: 5 },
      blast_radius: { percentage: 5, max_affected_calls: 5 },
    }
    const refused = await lab.tenant.admin.post(path, body)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'RES-010'])
    const analyst = await lab.tenant.as('security_analyst')
    expect((await analyst.post(`${path}/all/actions`, { action: 'release_lever' })).status).toBe(403)
    expect((await lab.act('all', 'release_lever')).lever.tenant).toBe(false)
    const active = expectStatus(await lab.tenant.admin.get(`${path}/active`), 200).body.data
    expect(active).toEqual({ lever: { tenant: false, platform: false }, experiments: [] })
  })

  test('of the platform is the operator’s alone', async () => {
    const path = '/resilience/chaos/experiments/all/actions'
    const answer = await lab.tenant.admin.post(path, { action: 'engage_lever', scope: 'platform' })
    expect(answer.status).toBe(403)
  })
})

test('a database fault reaches routes of other modules and neither sign-in, audit log nor the way to stop it', async () => {
  const id = await lab.inject([{ seam: 'database', kind: 'unavailable' }])
  const { admin } = lab.tenant
  expect((await admin.get('/risk/register')).status).toBe(503)
  expectStatus(await admin.get('/iam/users'), 200)
  expectStatus(await admin.get('/admin/audit-logs'), 200)
  expectStatus(await spared.admin.get('/risk/register'), 200)
  await lab.act(id, 'abort')
  expectStatus(await admin.get('/risk/register'), 200)
  await lab.until(id, 'aborted')
})
