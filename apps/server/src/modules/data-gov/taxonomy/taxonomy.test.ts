import { expect, test } from 'vitest'
import { bitsOf, categories, categoryOf, categoryOfType, labelsOf, levelBitOf, levelOf, levels } from './taxonomy.ts'

test('every category has a bit of its own beside the levels, and bits give back their labels', () => {
  const all = categories.map(({ id }) => id)
  expect(new Set(all).size).toBe(all.length)
  expect(all.length + levels.length - 1).toBeLessThanOrEqual(32)
  for (const { id, level } of categories)
    expect(labelsOf(bitsOf(level, [id]))).toEqual({ level: level === 'public' ? null : level, categories: [id] })
  expect(labelsOf(bitsOf('restricted', all))).toEqual({ level: 'restricted', categories: all })
  expect(labelsOf(0)).toEqual({ level: null, categories: [] })
  expect([levelBitOf(0), levelBitOf(bitsOf('internal', [])), levelBitOf(bitsOf('restricted', []))]).toEqual([-1, 0, 2])
})

test('joined bits have the highest level and all categories', () => {
  const joined = bitsOf('internal', ['ip_address']) | bitsOf('restricted', ['health'])
  expect(labelsOf(joined >>> 0)).toEqual({ level: 'restricted', categories: ['health', 'ip_address'] })
})

test('special categories are restricted, and what a detector finds has a category', () => {
  for (const { special, level } of categories) if (special) expect(level).toBe('restricted')
  expect([categoryOfType('EMAIL'), categoryOfType('CREDIT_CARD')]).toEqual(['email', 'payment_card'])
  expect(categoryOfType('SOMETHING_NEW')).toBe('other_personal')
  expect(categoryOf('shoe_size')).toBeNull()
  expect([levelOf([]), levelOf(['ip_address', 'health'])]).toEqual([null, 'restricted'])
})
