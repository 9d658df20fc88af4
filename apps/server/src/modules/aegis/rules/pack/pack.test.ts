import { describe, expect, test } from 'vitest'
import { fits } from '../../../../kernel/schema/fits.ts'
import { modules } from '../../../../modules.ts'
import type { RuleRecord } from '../engine/base/record.ts'
import { advanceAll, type GroupState, matchAll, stateKey } from '../engine/batch.ts'
import { compileRule } from '../engine/compile.ts'
import { createRuleSet } from '../engine/rule-set.ts'
import { isKnownTag } from '../tags/tags.ts'
import { samples } from '../testing/pack-samples.ts'
import { eventRules, pack } from './pack.ts'

const events = new Map(modules.flatMap(({ emits }) => emits.map((event) => [event.channel, event])))

test('there are at least 25 rules over events, each with its own key and known tags', () => {
  expect(eventRules.length).toBeGreaterThanOrEqual(25)
  expect(new Set(pack.map(({ key }) => key)).size).toBe(pack.length)
  expect(pack.flatMap(({ tags }) => tags).filter((tag) => !isKnownTag(tag))).toEqual([])
})

describe('a shipped rule', () => {
  test.each(eventRules.map((rule) => [rule.key, rule] as const))('%s fires on events that are emitted', (key, rule) => {
    const given = samples[key] ?? []
    const records = given.map(({ channel, data, second }, index): RuleRecord => {
      const event = events.get(channel)
      if (event === undefined) throw new Error(`No module emits ${channel}`)
      expect(fits(event.schema, data), `${channel} ${JSON.stringify(data)}`).toBe(true)
      const at = Date.UTC(2026, 0, 1) + second * 1_000
      return { id: `e${index}`, channel, subject: 's', time: new Date(at).toISOString(), at, data }
    })
    expect(hits(rule, records.slice(0, -1)), 'before its last event').toBe(0)
    expect(hits(rule, records)).toBe(1)
  })
})

function hits({ definition }: (typeof eventRules)[number], records: readonly RuleRecord[]): number {
  const compiled = compileRule(definition)
  const set = createRuleSet([{ rule: { id: 'r', compiled }, compiled }])
  const states = new Map<string, GroupState>()
  const advanced = advanceAll(matchAll(set, records), states)
  for (const { ruleId, key, state } of advanced.changes) states.set(stateKey(ruleId, key), state)
  return advanced.hits.length
}
