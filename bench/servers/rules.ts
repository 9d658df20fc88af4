/** Events through 200 detection rules with correlation state, without I/O, beside one look-up for each event, in turns; processor time. */

import type { Definition } from '../../apps/server/src/modules/aegis/rules/declared/schema.ts'
import type { RuleRecord } from '../../apps/server/src/modules/aegis/rules/engine/base/record.ts'
import {
  advanceAll,
  type GroupState,
  matchAll,
  stateKey,
} from '../../apps/server/src/modules/aegis/rules/engine/batch.ts'
import { compileRule } from '../../apps/server/src/modules/aegis/rules/engine/compile.ts'
import { createRuleSet } from '../../apps/server/src/modules/aegis/rules/engine/rule-set.ts'
import { eventRules } from '../../apps/server/src/modules/aegis/rules/pack/pack.ts'
import { answerUsage } from '../usage.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 10)
const eventsEach = Number(process.env.BENCH_EVENTS ?? 100_000)
const batchSize = 200
const wanted = 200
const users = 2_000

const plain = { group_by: [], window_seconds: null, threshold: null, field: null, correlation: null } as const

/** Rules of tenants beside the shipped ones: half compare a field, a quarter look for a part of one, a quarter count. */
function ownRule(n: number): Definition {
  const value = `value-${n}`
  const selections: readonly Record<string, unknown>[] = [
    { channel: 'gateway.request.completed', model: `model-${n}` },
    { channel: 'iam.session.created', session_id: value },
    { channel: 'gateway.request.completed', 'route|contains': value },
    { channel: 'gateway.request.completed', provider: `provider-${n % 20}` },
  ]
  const selection = selections[n % 4] ?? {}
  const source = {
    ...{ name: 'event', condition: null, detection: { selection, condition: 'selection' } },
    category: n % 4 === 1 ? ('iam_audit' as const) : ('gateway_request' as const),
  }
  if (n % 4 !== 3) return { ...plain, type: 'match', sources: [source], group_by: [] }
  return { ...plain, type: 'threshold', sources: [source], group_by: ['user_id'], window_seconds: 60, threshold: 1_000 }
}

const definitions = [
  ...eventRules.map(({ definition }) => definition),
  ...Array.from({ length: wanted - eventRules.length }, (_, n) => ownRule(n)),
]
const rules = definitions.map((definition, index) => ({ id: `rule-${index}`, compiled: compileRule(definition) }))
const ruleSet = createRuleSet(rules.map((rule) => ({ rule, compiled: rule.compiled })))

/** Nine of ten are completed calls; the rest are blocked calls, sign-ins and keys. */
function eventOf(n: number): RuleRecord {
  const at = Date.UTC(2026, 0, 1) + n * 2
  const user_id = `user-${(n * 7_919) % users}`
  const about = { id: `event-${n}`, subject: user_id, time: new Date(at).toISOString(), at }
  if (n % 50 === 0) return { ...about, channel: 'iam.session.created', data: { user_id, session_id: `s-${n}` } }
  if (n % 25 === 0)
    return {
      ...about,
      channel: 'iam.api_key.created',
      data: { api_key_id: `k-${n}`, owner_id: user_id, actor_id: user_id },
    }
  const call = {
    request_id: `req-${n}`,
    user_id,
    agent_id: null,
    model: `model-${n % 50}`,
    provider: `provider-${n % 40}`,
    route: `route-${n % 9}`,
  }
  if (n % 20 === 0)
    return {
      ...about,
      channel: 'gateway.request.blocked',
      data: {
        ...call,
        blocked_by: { step: 'injection', n: 6, error_code: 'GW-003' },
        provenance: 'user',
        prompt_sha256: `p-${n % 500}`,
        monitor: false,
      },
    }
  return {
    ...about,
    channel: 'gateway.request.completed',
    data: { ...call, status: 'completed', cost: '0.01', fail_open: [], usage: { total_tokens: 900 } },
  }
}

const events = Array.from({ length: eventsEach }, (_, n) => eventOf(n))

function throughRules(): { readonly hits: number; readonly groups: number } {
  const states = new Map<string, GroupState>()
  let hits = 0
  for (let from = 0; from < events.length; from += batchSize) {
    const advanced = advanceAll(matchAll(ruleSet, events.slice(from, from + batchSize)), states)
    for (const { ruleId, key, state } of advanced.changes) states.set(stateKey(ruleId, key), state)
    hits += advanced.hits.length
  }
  return { hits, groups: states.size }
}

/** The least that could find a rule by its channel and one field. */
const known = new Map(events.slice(0, 1_000).map(({ channel, data }) => [`${channel} ${String(data.model)}`, true]))
function oneLookUp(): number {
  let found = 0
  for (const { channel, data } of events) if (known.get(`${channel} ${String(data.model)}`) === true) found += 1
  return found
}

const seconds = { rules: [] as number[], floor: [] as number[] }
let last = { hits: 0, groups: 0 }
/** Of the processor, so that other work on the machine is not counted. */
function secondsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

for (let round = -2; round < rounds; round += 1) {
  const throughAll = secondsOf(() => {
    last = throughRules()
  })
  const floor = secondsOf(() => {
    if (oneLookUp() === 0) throw new Error('the floor found nothing')
  })
  if (round < 0) continue
  seconds.rules.push(throughAll)
  seconds.floor.push(floor)
}

answerUsage({ seconds, events: eventsEach, rules: rules.length, ...last })
