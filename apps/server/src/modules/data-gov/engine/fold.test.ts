import { expect, test } from 'vitest'
import type { ConsentEventWord } from '../declared/consent-schema.ts'
import { impossibleEvent, inOrder, stateAfter } from './fold.ts'

const told = (event: ConsentEventWord, minute: number, id = `${event} ${minute}`) => ({
  ...{ id, event, occurred_at: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z` },
  created_at: '2026-01-02T00:00:00.000Z',
})

test('the state follows the order in which events happened, not in which they were told', () => {
  const events = [told('given', 5), told('withdrawn', 3), told('given', 1)]
  expect(stateAfter(inOrder(events).at(-1)?.event ?? 'refused')).toBe('given')
  expect(impossibleEvent(events)).toBeNull()
})

test('a withdrawal needs a consent before it, and may be told twice', () => {
  expect(impossibleEvent([told('withdrawn', 1)])?.event).toBe('withdrawn')
  expect(impossibleEvent([told('withdrawn', 1), told('given', 2)])?.event).toBe('withdrawn')
  expect(impossibleEvent([told('given', 1), told('withdrawn', 2), told('withdrawn', 3)])).toBeNull()
  expect(impossibleEvent([told('refused', 1), told('renewed', 2)])?.event).toBe('renewed')
  expect(impossibleEvent([told('given', 1), told('expired', 2), told('renewed', 3)])).toBeNull()
})
