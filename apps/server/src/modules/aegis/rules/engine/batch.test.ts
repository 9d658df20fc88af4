import { describe, expect, test } from 'vitest'
import type { Definition } from '../declared/schema.ts'
import type { RuleRecord } from './base/record.ts'
import { advanceAll, type GroupState, matchAll, stateKey } from './batch.ts'
import { categoriesOf } from './channels.ts'
import { compileRule } from './compile.ts'
import { entitiesOf, evidenceOf, severityOf } from './event-facts.ts'
import { createRuleSet } from './rule-set.ts'

const plain: Definition = {
  type: 'match',
  sources: [
    {
      ...{ name: 'event', category: 'gateway_request', condition: null },
      detection: { s: { channel: 'gateway.request.blocked', user_id: ['u1', 'u2'] }, condition: 's' },
    },
  ],
  ...{ group_by: ['user_id'], window_seconds: null, threshold: null, field: null, correlation: null },
}

const record = (id: string, second: number, data: Record<string, unknown>, channel = 'gateway.request.blocked') => {
  const at = Date.UTC(2026, 0, 1) + second * 1_000
  return { id, channel, subject: 's', time: new Date(at).toISOString(), at, data } satisfies RuleRecord
}

const setOf = (...definitions: readonly Definition[]) => {
  const rules = definitions.map((definition, index) => ({ id: `r${index}`, compiled: compileRule(definition) }))
  return createRuleSet(rules.map((rule) => ({ rule, compiled: rule.compiled })))
}

describe('rules over events', () => {
  test('match those of their log source alone, and events about alerts match none', () => {
    expect(categoriesOf('iam.user.locked')).toEqual(['iam_audit', 'platform_event'])
    expect(categoriesOf('aegis.alert.created')).toEqual([])
    const set = setOf(plain)
    expect(set.match(record('e', 0, { user_id: 'U1' }))).toHaveLength(1)
    expect(set.match(record('e', 0, { user_id: 'u3' }))).toHaveLength(0)
    expect(set.match(record('e', 0, { user_id: 'u1' }, 'iam.request.blocked'))).toHaveLength(0)
  })

  test('are found by a value in a list once', () => {
    const set = setOf({ ...plain, group_by: [] })
    expect(set.match(record('e', 0, { user_id: ['u1', 'u2'] }))).toHaveLength(1)
  })

  test('tell the channels that can match', () => {
    expect(compileRule(plain).channels).toEqual(['gateway.request.blocked'])
    const [source] = plain.sources
    const any = {
      ...plain,
      sources: source === undefined ? [] : [{ ...source, detection: { s: ['x'], condition: 's' } }],
    }
    expect(compileRule(any).channels).toEqual(['gateway.request.'])
  })

  test('in CEL do not match what they cannot decide, and are told of it', () => {
    const condition = "event.channel == 'gateway.request.blocked' && event.data.n > 2"
    const source = { name: 'event', category: 'gateway_request', condition, detection: null } as const
    const set = setOf({ ...plain, sources: [source] })
    expect(compileRule({ ...plain, sources: [source] }).channels).toEqual(['gateway.request.blocked'])
    const undecided: boolean[] = []
    const observe = (_rule: unknown, _ms: number, failed: boolean) => undecided.push(failed)
    expect(set.match(record('e', 0, { n: 3 }), observe)).toHaveLength(1)
    expect(set.match(record('e', 0, {}), observe)).toHaveLength(0)
    expect(undecided).toEqual([false, true])
  })
})

test('a batch cut anywhere gives the same hits, with what happened before as evidence', () => {
  const threshold: Definition = { ...plain, type: 'threshold', threshold: 3, window_seconds: 60 }
  const set = setOf(threshold)
  const records = Array.from({ length: 6 }, (_, n) => record(`e${n}`, n, { user_id: n % 3 === 2 ? 'u2' : 'u1' }))
  const run = (batches: readonly (readonly RuleRecord[])[]) => {
    const states = new Map<string, GroupState>()
    return batches.flatMap((batch) => {
      const { hits, changes } = advanceAll(matchAll(set, batch), states)
      for (const { ruleId, key, state } of changes) states.set(stateKey(ruleId, key), JSON.parse(JSON.stringify(state)))
      return hits.map(({ group, record: { id }, kept }) => [group.user_id, id, kept.map(({ evidence }) => evidence.id)])
    })
  }
  const whole = run([records])
  expect(whole).toEqual([
    ['u1', 'e3', ['e0', 'e1', 'e3']],
    ['u1', 'e4', ['e0', 'e1', 'e3', 'e4']],
  ])
  for (let cut = 1; cut < records.length; cut += 1)
    expect(run([records.slice(0, cut), records.slice(cut)])).toEqual(whole)
})

test('an alert keeps the facts of an event', () => {
  const event = record('e', 0, {
    ...{ request_id: 'req_1', user_id: 'u1', agent_id: 'a1', agent_name: 'Helper', tenant_id: 't', key_id: null },
    blocked_by: { error_code: 'GW-003' },
  })
  expect(entitiesOf(event)).toEqual([
    { type: 'user', id: 'u1', name: null },
    { type: 'agent', id: 'a1', name: 'Helper' },
  ])
  expect(evidenceOf(event)).toMatchObject({ id: 'e', request_id: 'req_1', source: 'gateway.request.blocked' })
  expect(evidenceOf(event).summary).toContain('blocked_by.error_code: GW-003')
  expect(evidenceOf(event).summary).not.toContain('tenant_id')
})

test('severity grows by one step where an attack was only watched', () => {
  expect(severityOf('medium', record('e', 0, { monitor: true, risk_tier: 4 }))).toBe('high')
  expect(severityOf('critical', record('e', 0, { monitor: true }))).toBe('critical')
  expect(severityOf('info', record('e', 0, { monitor: true }))).toBe('info')
  expect(severityOf('medium', record('e', 0, { monitor: false }))).toBe('medium')
})
