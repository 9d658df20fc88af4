import { expect, test } from 'vitest'
import { propagationOf } from './propagation.ts'

test.each([
  ['no instance', {}, { nodes_total: 0, nodes_acked: 0, p50_ms: 0, max_ms: 0, inflight_aborted: 0 }],
  [
    'the one that activated it',
    { a: { ms: 0.2, aborted: 3 } },
    { nodes_total: 1, nodes_acked: 1, p50_ms: 0.2, max_ms: 0.2, inflight_aborted: 3 },
  ],
  [
    'two that said so and one that did not',
    { a: { ms: 40, aborted: 1 }, b: null, c: { ms: 7, aborted: 2 } },
    { nodes_total: 3, nodes_acked: 2, p50_ms: 7, max_ms: 40, inflight_aborted: 3 },
  ],
  [
    'three',
    { a: { ms: 30, aborted: 0 }, b: { ms: 10, aborted: 5 }, c: { ms: 20, aborted: 0 } },
    { nodes_total: 3, nodes_acked: 3, p50_ms: 20, max_ms: 30, inflight_aborted: 5 },
  ],
])('the figures of %s', (_who, notes, expected) => {
  expect(propagationOf(notes)).toEqual(expected)
})
