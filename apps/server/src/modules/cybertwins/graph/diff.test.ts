import { expect, test } from 'vitest'
import { edge, node, smallEstate } from '../testing/small-estate.ts'
import { diffOf } from './diff.ts'

const changed = {
  nodes: [...smallEstate.nodes.filter(({ name }) => name !== 'V'), node('V', { id: 'new', name: 'New' })].map((one) =>
    one.name === 'W' ? { ...one, criticality: 5 } : one,
  ),
  edges: [
    ...smallEstate.edges.slice(1).map((one, i) => (i === 0 ? { ...one, p_override: 0.1 } : one)),
    edge(0, { id: 'x' }),
  ],
}

test('lists what came, went and changed, and turned around the other way', () => {
  const diff = diffOf(smallEstate, changed, 'before')
  expect(diff.counts).toEqual({
    ...{ nodes_added: 1, nodes_removed: 1, nodes_changed: 1, edges_added: 1, edges_removed: 1, edges_changed: 1 },
  })
  const turned = diffOf(changed, smallEstate, 'before')
  expect(turned.nodes.added).toEqual(diff.nodes.removed)
  expect(turned.nodes.removed).toEqual(diff.nodes.added)
  expect(turned.edges.added).toEqual(diff.edges.removed)
  expect(turned.edges.removed).toEqual(diff.edges.added)
})

test('a state has no difference to itself', () => {
  const { counts, truncated } = diffOf(smallEstate, smallEstate, 'current')
  expect([Object.values(counts), truncated]).toEqual([Array(6).fill(0), false])
})
