import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { splitDocuments } from './documents.ts'
import { importSigma, type Opened } from './import.ts'

const file = (name: string) => readFileSync(new URL(`../testing/${name}`, import.meta.url), 'utf8')

const opened = (text: string): readonly Opened[] =>
  splitDocuments(text).map((part) => ({ text: part, value: parse(part), fault: null }))

const imported = (text: string) => importSigma(opened(text))

describe('sixty rules in the forms of public ones', () => {
  test('for log sources of other products are read whole and refused by their log source', () => {
    const { rules, refused } = imported(file('sigma-foreign.yml'))
    expect(rules).toEqual([])
    expect(refused).toHaveLength(41)
    expect(new Set(refused.map(({ construct }) => construct))).toEqual(new Set(['logsource']))
  })

  test('for our log sources are rules', () => {
    const { rules, refused } = imported(file('sigma-parapet.yml'))
    expect(refused).toEqual([])
    expect(rules).toHaveLength(11)
    expect(rules[0]).toMatchObject({
      heading: { level: 'high', tags: ['LLM01', 'AML.T0051'] },
      definition: { type: 'match' },
    })
  })

  test('with constructs that are not supported are refused by name and place', () => {
    const { rules, refused } = imported(file('sigma-refused.yml'))
    expect(rules).toEqual([])
    expect(refused.map(({ construct, pointer }) => [construct, pointer])).toEqual([
      ['modifier expand', '/detection/selection/user_id|expand'],
      ['modifier sounds_like', '/detection/selection/model|sounds_like'],
      ['aggregation', '/detection/condition'],
      ['timeframe', '/detection/timeframe'],
      ['pattern', '/detection/selection/model|re'],
      ['condition 2 of', '/detection/condition'],
      ['modifier wide', '/detection/selection/model|wide|base64offset|contains'],
      ['logsource', '/logsource/category'],
    ])
  })
})

const rule = (name: string) => `
title: Rule ${name}
name: ${name}
logsource: {product: parapet, category: gateway_request}
detection:
  selection: {channel: gateway.request.blocked}
  condition: selection
level: high
`

const correlation = (members: string) => `
title: Several together
name: several
correlation:
  timespan: 5m
  group-by: [user_id]
${members}
level: critical
`

describe('correlations', () => {
  test.each([
    ['event_count', 'condition: {gte: 10}'],
    ['value_count', 'condition: {gte: 10, field: model}'],
    ['value_sum', 'condition: {gt: 1.5, field: cost}'],
    ['value_avg', 'condition: {lt: 2, field: cost}'],
    ['value_percentile', 'condition: {gte: 2, field: cost, percentile: 95}'],
    ['temporal', 'aliases: {user_id: {a: user_id, b: owner_id}}'],
    ['temporal_ordered', 'generate: false'],
  ])('of type %s embed the rules that they name', (type, condition) => {
    const text = [rule('a'), rule('b'), correlation(`  type: ${type}\n  rules: [a, b]\n  ${condition}`)].join('---')
    const { rules, embedded, refused } = imported(text)
    expect(refused).toEqual([])
    expect(embedded).toEqual(['Rule a', 'Rule b'])
    expect(rules).toHaveLength(1)
    expect(rules[0]?.definition).toMatchObject({ type: 'correlation', window_seconds: 300, correlation: { type } })
    expect(rules[0]?.definition.sources.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('that say so let their rules open alerts as well', () => {
    const text = [rule('a'), correlation('  type: event_count\n  rules: a\n  condition: {gte: 3}\n  generate: true')]
    expect(imported(text.join('---')).rules).toHaveLength(2)
  })

  test.each([
    ['type: near\n  rules: [a]\n  condition: {gte: 3}', 'correlation near', '/correlation/type'],
    ['type: event_count\n  rules: [a]\n  condition: {lt: 3}', 'event_count below a bound', '/correlation/condition'],
    ['type: event_count\n  rules: [a]\n  condition: {neq: 3}', 'condition neq', '/correlation/condition/neq'],
    ['type: event_count\n  rules: [a]\n  condition: a and b', 'condition expression', '/correlation/condition'],
    ['type: event_count\n  rules: [z]\n  condition: {gte: 3}', 'rules', '/correlation/rules/0'],
    ['type: event_count\n  rules: [several]\n  condition: {gte: 3}', 'cyclic correlation', '/correlation/rules/0'],
    ['type: value_count\n  rules: [a]\n  condition: {gte: 3}', 'correlation', '/correlation'],
    ['type: event_count\n  rules: [a]\n  condition: {gte: 99999}', 'event_count above 10000', '/correlation/condition'],
  ])('are refused by construct: %s', (members, construct, pointer) => {
    const { refused } = imported([rule('a'), correlation(`  ${members}`)].join('---'))
    expect(refused).toEqual([expect.objectContaining({ construct, pointer, document: 2, rule: 'Several together' })])
  })

  test('that lead to each other are refused as a cycle', () => {
    const other = correlation('  type: event_count\n  rules: [other]\n  condition: {gte: 3}')
    const first = other.replace('name: several', 'name: other').replace('[other]', '[several]')
    const { refused } = imported([first, other].join('---'))
    expect(refused.map(({ construct }) => construct)).toEqual(['cyclic correlation', 'cyclic correlation'])
  })
})

describe('documents', () => {
  test('are parted by lines of dashes', () => {
    expect(splitDocuments('---\na: 1\n---\n# nothing\n---\nb: |\n  ---\n...\n--- # more\nc: 1\r\n')).toEqual([
      'a: 1',
      'b: |\n  ---',
      'c: 1\n',
    ])
  })

  test.each<[string, string, string]>([
    ['[1, 2]', 'document', ''],
    ['action: global', 'action', '/action'],
    ['filter: {}', 'filter', '/filter'],
    ['title: x\nmystery: 1', 'mystery', '/mystery'],
    ['logsource: {}', 'title', '/title'],
    ['title: x\nlevel: urgent', 'level', '/level'],
    ['title: x\ntags: [owasp.llm99]', 'tags', '/tags/0'],
    ['title: x\ntags: [atlas.aml.t9999]', 'tags', '/tags/0'],
    ['title: x', 'detection', '/detection'],
  ])('%s is refused', (text, construct, pointer) => {
    expect(imported(text).refused).toEqual([expect.objectContaining({ construct, pointer })])
  })
})
