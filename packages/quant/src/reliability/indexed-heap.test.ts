import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createIndexedHeap } from './indexed-heap.ts'

const slots = 12

test('slots leave by key, then by number, whatever was changed and removed before', () => {
  const command = fc.oneof(
    fc.record({ kind: fc.constant('schedule' as const), slot: fc.nat(slots - 1), time: fc.nat(9) }),
    fc.record({ kind: fc.constant('cancel' as const), slot: fc.nat(slots - 1) }),
    fc.record({ kind: fc.constant('pop' as const) }),
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
      const queue = createIndexedHeap(slots)
      const model = new Map<number, number>()
      const earliest = () => [...model].sort(([a, s], [b, t]) => s - t || a - b)[0]
      for (const each of commands) {
        if (each.kind === 'schedule') {
          queue.set(each.slot, each.time)
          model.set(each.slot, each.time)
        } else if (each.kind === 'cancel') {
          queue.remove(each.slot)
          model.delete(each.slot)
        } else {
          const [slot] = earliest() ?? [-1]
          expect(queue.pop()).toBe(slot)
          model.delete(slot)
        }
        expect(queue.size()).toBe(model.size)
        expect(queue.minimum()).toBe(earliest()?.[1] ?? Number.POSITIVE_INFINITY)
      }
    }),
    { numRuns: 300 },
  )
})

test('a cleared queue is empty and usable', () => {
  const queue = createIndexedHeap(2)
  queue.set(1, 5)
  queue.clear()
  expect([queue.pop(), queue.size()]).toEqual([-1, 0])
  queue.set(1, 3)
  expect(queue.pop()).toBe(1)
})
