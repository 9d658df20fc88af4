/** Guards of other modules on calls and answers, through the chat route, with two small guards of a test module. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { fill } from '../../../kernel/module/ports/port.ts'
import { modules } from '../../../modules.ts'
import {
  type GuardText,
  inputGuard,
  inputGuardPort,
  outputGuard,
  outputGuardPort,
  type Verdict,
} from '../ports/call-guards.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask, framesOf, textOf } from '../testing/support.ts'
import { openUpstream, say, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant
let spared: TestTenant
/** For one tenant, whose calls must no longer be processed. */
let withdrawn = false
/** Whether the guard never answers. */
let silent = false
/** Removed from calls and answers. */
let secret = 'Aurora'
const asked: string[] = []

/** Spans of a word to remove from the texts. */
function wordOut(texts: readonly GuardText[], word: string): readonly Verdict[] {
  const redactions = texts.flatMap(({ location, text }) => {
    const start = text.indexOf(word)
    return start === -1 ? [] : [{ location, start, end: start + word.length }]
  })
  return redactions.length === 0
    ? []
    : [{ decision: 'flag', rule: 'project-name', reason: 'A secret project', redactions }]
}

const consent = inputGuard({
  name: 'trust.consent',
  needs: ['metadata'],
  limitMs: 60_000,
  judges: ({ tenantId }) => tenantId === tenant.id,
  judge: ({ actor }, part) => {
    asked.push(actor.userId)
    if (withdrawn) return [{ decision: 'block', rule: 'consent-withdrawn', reason: 'Consent was withdrawn.' }]
    return 'case' in part('metadata') ? [{ decision: 'flag', rule: 'case-named', reason: 'A case is named.' }] : []
  },
})

const words = inputGuard({
  name: 'trust.words',
  needs: ['texts'],
  limitMs: 50,
  judges: ({ tenantId }) => tenantId === tenant.id,
  judge: async (_call, part) => (silent ? new Promise<never>(() => undefined) : wordOut(part('texts'), secret)),
})

const answers = outputGuard({
  name: 'trust.answers',
  needs: ['texts'],
  limitMs: 60_000,
  judges: ({ tenantId }) => tenantId === tenant.id,
  judge: async (_call, part) => {
    const bad = part('texts').find(({ text }) => text.includes('wire the money'))
    const blocked: Verdict[] =
      bad === undefined ? [] : [{ decision: 'block', rule: 'payments', reason: 'No payments.', location: bad.location }]
    return [...blocked, ...wordOut(part('texts'), secret)]
  },
})

const fills = [
  // Deliberately not in the order of their names.
  fill(inputGuardPort, () => words),
  fill(inputGuardPort, () => consent),
  fill(outputGuardPort, () => answers),
]

/** All modules, one of which also fills the guard ports. */
const guarding = modules.map((module) =>
  module.name === 'trust' ? { ...module, fills: [...module.fills, ...fills] } : module,
)

beforeAll(async () => {
  world = await openWorld({ own: true, modules: guarding })
  upstream = await openUpstream()
  tenant = await world.tenant('guarded')
  spared = await world.tenant('spared')
  for (const { admin } of [tenant, spared]) await addProvider(admin, 'local', upstream)
})

afterEach(() => {
  withdrawn = false
  silent = false
  secret = 'Aurora'
  upstream.reply(say('Hello.'))
  upstream.received.splice(0)
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

async function lastLogged() {
  const [row] = expectStatus(await tenant.admin.get('/gateway/requests'), 200).body.data
  return expectStatus(await tenant.admin.get(`/gateway/requests/${row.id}`), 200).body.data
}

const rowsOf = async () =>
  (await lastLogged()).security.policy_violations.map(
    ({ rule_id, step, category, action }: Record<string, unknown>) => `${step} ${category} ${rule_id} ${action}`,
  )

describe('an input guard', () => {
  test('blocks with its reason and its rule, and the provider is not asked', async () => {
    withdrawn = true
    const answer = await ask(tenant.admin, 'Hello.')
    expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-005'])
    expect(answer.body.detail).toContain('consent-withdrawn')
    expect(answer.body.errors[0].detail).toBe('Consent was withdrawn.')
    expect(upstream.received).toHaveLength(0)
    expect(await rowsOf()).toEqual(['content_policy trust.consent consent-withdrawn block'])
    expectStatus(await ask(spared.admin, 'Hello.'), 200)
  })

  test.each(['monitor', 'off'])('blocks under a policy in mode %s as well', async (mode) => {
    await onlyPolicy(tenant, { mode })
    withdrawn = true
    expect((await ask(tenant.admin, 'Hello.')).body.error_code).toBe('GW-005')
    expect(await rowsOf()).toEqual(['content_policy trust.consent consent-withdrawn block'])
    await onlyPolicy(tenant, {})
  })

  test('takes out what it names, and a flag beside it is recorded in the order of the guards', async () => {
    expectStatus(await ask(tenant.admin, 'Tell me of Aurora.', { metadata: { case: '7' } }), 200)
    expect(upstream.received[0]?.body.messages.at(-1).content).toBe('Tell me of [removed: project-name].')
    expect(await rowsOf()).toEqual([
      'content_policy trust.consent case-named flag',
      'content_policy trust.words project-name redact',
    ])
  })

  test('that does not answer in time refuses the call', async () => {
    silent = true
    const answer = await ask(tenant.admin, 'Hello.')
    expect([answer.status, answer.body.error_code]).toEqual([503, 'GW-035'])
    expect(answer.body.detail).toContain('trust.words')
    expect(upstream.received).toHaveLength(0)
    expect(await rowsOf()).toEqual(['content_policy trust.words guard_failed block'])
  })

  test('is not asked about calls that it does not judge', async () => {
    asked.splice(0)
    expectStatus(await ask(spared.admin, 'Tell me of Aurora.'), 200)
    expect(asked).toEqual([])
    expect(upstream.received[0]?.body.messages.at(-1).content).toBe('Tell me of Aurora.')
  })
})

describe('an output guard', () => {
  test('withholds an answer', async () => {
    upstream.reply(say('Please wire the money.'))
    const answer = await ask(tenant.admin, 'Hello.')
    expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-006'])
    expect(JSON.stringify(answer.body)).not.toContain('wire the money')
    expect(await rowsOf()).toEqual(['output_inspection trust.answers payments block'])
  })

  test('takes words out of an answer, also out of one from the cache that it let pass before', async () => {
    await onlyPolicy(tenant, { cache: { mode: 'exact' } })
    upstream.reply(say('This is Borealis.'))
    const cached = { cache: { mode: 'exact' } }
    const said = async () =>
      expectStatus(await ask(tenant.admin, 'Which one?', cached), 200).body.data.choices[0].message.content
    expect(await said()).toBe('This is Borealis.')
    secret = 'Borealis'
    expect(await said()).toBe('This is [removed: project-name].')
    expect(upstream.received).toHaveLength(1)
    expect(await rowsOf()).toEqual(['output_inspection trust.answers project-name redact'])
  })

  test.each([
    [['This is Au', 'rora, the pro', 'ject.'], 'This is [removed: project-name], the project.'],
    [['Please wire', ' the money.'], ''],
  ])('holds a stream back until it has judged all of it: %j', async (pieces, left) => {
    upstream.reply(streamed(pieces))
    const answer = await ask(tenant.admin, 'Stream.', { stream: true })
    const frames = framesOf(answer.text)
    expect(textOf(frames)).toBe(left)
    expect(frames.some(({ event, data }) => event === 'error' && data.error_code === 'GW-006')).toBe(left === '')
  })
})
