import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { walk } from '@parapet/graph'
import { describe, expect, test } from 'vitest'
import { bitsOf, categories } from '../taxonomy/taxonomy.ts'
import { formFaults, type Json } from './event-form.ts'
import { flowKey, placeKey, readEvent } from './read-event.ts'
import { createSnapshot, type GraphEdge, type GraphNode } from './snapshot.ts'

const data = '../shared/data/openlineage'
const hasData = existsSync(data)
const json = (file: string) => JSON.parse(readFileSync(`${data}/${file}`, 'utf8'))

const events = (): readonly Json[] =>
  readdirSync(data)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(`${data}/${file}`, 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line))

describe.skipIf(!hasData)('the reference events of OpenLineage', () => {
  test('are all valid, and hold the jobs, runs, datasets, fields and edges that were counted', () => {
    const all = events()
    expect(all.filter((event) => formFaults(event).length > 0)).toEqual([])
    const read = all.map(readEvent)
    const oracle = json('expected-counts.json')
    const count = (keys: readonly (string | null)[]) => new Set(keys.filter((key) => key !== null)).size
    const flows = read.flatMap((one) => one.flows)
    const ends = (level: string) =>
      flows
        .filter((flow) => flow.level === level && flow.source !== 'lineage_facet')
        .map(({ from, to }) => `${placeKey(from)} ${placeKey(to)}`)
    expect(read).toHaveLength(oracle.events)
    expect(count(read.map(({ job }) => (job === null ? null : placeKey(job))))).toBe(oracle.jobs)
    expect(count(read.map(({ runId }) => runId))).toBe(oracle.runs)
    expect(count(read.flatMap(({ inputs, outputs }) => [...inputs, ...outputs].map(placeKey)))).toBe(oracle.datasets)
    expect(count(ends('dataset'))).toBe(oracle.dataset_edges_input_x_output)
    expect(count(ends('column'))).toBeGreaterThanOrEqual(oracle.column_edges_unique - 3)
    expect(count(flows.filter(({ masking }) => masking).map(flowKey))).toBe(oracle.transformations_masking_true)
  })

  test('that are bad are refused with a pointer', () => {
    expect(formFaults(json('bad/event_no_timezone.json')).map(({ pointer }) => pointer)).toContain('/eventTime')
    expect(formFaults(json('bad/event_without_schema_url.json')).map(({ pointer }) => pointer)).toContain('/schemaURL')
  })

  test('lead to the reach and the labels of an independent computation', async () => {
    const { graph } = await import(
      new URL('../../../../../../../shared/data/openlineage/gen-graph.mjs', import.meta.url).href
    )
    const { N, src, dst, mask } = graph()
    const oracle = json('expected-graph.json')
    const nodes = Array.from(
      { length: N },
      (_, at): GraphNode => ({
        ...{ id: `n${at}`, key: `n${at}`, kind: 'column', namespace: 'n', name: `t${at}`, field: 'f' },
      }),
    )
    const edges = src.map(
      (from: number, at: number): GraphEdge => ({
        ...{ from_id: `n${from}`, to_id: `n${dst[at]}`, level: 'column', type: 'DIRECT', subtype: null },
        ...{ masking: mask[at] === 1, source: 'event', job_id: null },
      }),
    )
    const ids = categories.slice(0, 16).map(({ id }) => id)
    const own = Array.from({ length: 1_000 }, (_, at) => ({
      key: `n${at}`,
      level: null,
      categories: [ids[at % 16] ?? ''],
    }))
    const snapshot = createSnapshot({ nodes, edges, own })
    const view = snapshot.view('column', { indirect: true, stopAtMasking: false })
    const reach = (start: string, depth: string, direction: 'forward' | 'backward') =>
      walk(view.graph, [Number(start)], { direction, maximumDepth: Number(depth) }).countsByDepth.reduce(
        (a, b) => a + b,
        0,
      ) - 1
    for (const [side, direction] of [
      ['downstream', 'forward'],
      ['upstream', 'backward'],
    ] as const)
      for (const [start, depths] of Object.entries<Record<string, number>>(oracle[side]))
        for (const [depth, count] of Object.entries(depths)) expect(reach(start, depth, direction)).toBe(count)
    const { bits } = snapshot.labels()
    const perLayer = Array.from({ length: 20 }, (_, layer) =>
      Array.from({ length: 1_000 }, (_, at) => bitCount(bits[layer * 1_000 + at] ?? 0)).reduce((a, b) => a + b, 0),
    )
    expect(perLayer).toEqual(oracle.label_bits_per_layer)
  })
})

function bitCount(bits: number): number {
  let [rest, count] = [bits, 0]
  for (; rest !== 0; rest &= rest - 1) count += 1
  return count
}

describe('an event', () => {
  const whole = {
    ...{ eventTime: '2026-01-01T00:00:00+02:00', producer: 'https://x.example', schemaURL: 'https://x.example/s' },
    job: { namespace: 'n', name: 'j' },
  }
  test.each([
    ['no object', [], ''],
    ['no time zone', { ...whole, eventTime: '2026-01-01T00:00:00' }, '/eventTime'],
    ['the year 9999', { ...whole, eventTime: '9999-01-01T00:00:00Z' }, '/eventTime'],
    ['a day that is none', { ...whole, eventTime: '2026-02-32T00:00:00Z' }, '/eventTime'],
    ['no job', { ...whole, job: undefined }, '/job'],
    ['a run without a UUID', { ...whole, run: { runId: 'one' } }, '/run/runId'],
    [
      'an unknown type',
      { ...whole, run: { runId: '00000000-0000-4000-8000-000000000001' }, eventType: 'DONE' },
      '/eventType',
    ],
    ['an input without a name', { ...whole, inputs: [{ namespace: 'n' }] }, '/inputs/0/name'],
    ['a long list', { ...whole, inputs: new Array(2_001).fill({ namespace: 'n', name: 'x' }) }, '/inputs'],
    ['a dataset beside a job', { ...whole, dataset: { namespace: 'n', name: 'x' } }, '/dataset'],
  ])('with %s is refused at its place', (_, event, pointer) => {
    expect(formFaults(event).map((fault) => fault.pointer)).toContain(pointer)
  })

  test('keeps names as they are, whatever they hold', () => {
    const field = '__proto__'
    const dataset = { namespace: 'a|b', name: 'c"d\u0001' }
    const told = { fields: { [field]: 0 } }
    const facets = JSON.parse(
      JSON.stringify({ columnLineage: { fields: {} } }).replace(
        '{}',
        `{"${field}":{"inputFields":[{"namespace":"a|b","name":"c","field":"constructor"}]}}`,
      ),
    )
    const read = readEvent({ ...whole, outputs: [{ ...dataset, facets }] })
    expect(told).toBeDefined()
    expect(read.flows.map(({ to, from }) => [to.namespace, to.name, to.field, from.field])).toEqual([
      ['a|b', 'c"d\u0001', '__proto__', 'constructor'],
    ])
  })
})

test('a masked edge carries no label, an indirect one none, and a dataset has the labels of its columns', () => {
  const node = (id: string, field: string | null): GraphNode => ({
    ...{ id, key: id, kind: field === null ? 'dataset' : 'column', namespace: 'n', name: id.slice(0, 1), field },
  })
  const edge = (from: string, to: string, over: Partial<GraphEdge> = {}): GraphEdge => ({
    ...{ from_id: from, to_id: to, level: 'column', type: 'DIRECT', subtype: null, masking: false, source: 'event' },
    job_id: null,
    ...over,
  })
  const snapshot = createSnapshot({
    nodes: [node('a1', 'x'), node('b1', 'x'), node('c1', 'x'), node('d1', 'x'), node('a', null), node('b', null)],
    edges: [edge('a1', 'b1'), edge('a1', 'c1', { masking: true }), edge('a1', 'd1', { type: 'INDIRECT' })],
    own: [{ key: 'a1', level: 'restricted', categories: ['health'] }],
  })
  const bits = bitsOf('restricted', ['health'])
  expect([...snapshot.labels().bits]).toEqual([bits, bits, 0, 0, bits, bits])
})
