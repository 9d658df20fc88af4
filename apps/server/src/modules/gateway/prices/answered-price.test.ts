import { describe, expect, test } from 'vitest'
import { costOfAnswer } from './answered-price.ts'
import { costOfMeter } from './cost.ts'
import type { ListPrice } from './price.ts'
import { createPriceBook, type PriceOverride } from './price-book.ts'

const at = '2026-03-01T00:00:00.000Z'

const listed = (model: string, input: string): ListPrice => ({
  provider: 'openai',
  model,
  currency: 'USD',
  prices: { input },
  valid_from: '2025-01-01',
  source: 'a test',
  checked_at: '2025-01-01',
})

const own = (model: string, input: string, currency = 'USD'): PriceOverride => ({
  id: `own-${model}`,
  provider_id: 'p1',
  model,
  sheet: { currency, prices: { input } },
  valid_from: '2026-01-01T00:00:00.000Z',
})

const list = [listed('big', '10'), listed('small', '1'), listed('big-2024-05-13', '20')]

interface Case {
  readonly asked?: string
  readonly isVendor?: boolean
  readonly overrides?: readonly PriceOverride[]
}

/** Cost of reading a million tokens if the answer names this model; null if the price is unknown. */
function costs(answered: string | null, { asked = 'big', isVendor = true, overrides = [] }: Case = {}): number | null {
  const cost = costOfAnswer(createPriceBook(list, overrides), {
    target: { provider: { id: 'p1', kind: 'openai' }, model: asked },
    answered,
    isVendor,
    at,
    costOf: ({ sheet }) => costOfMeter(sheet, { input: 1_000_000 }, null),
  })
  return cost === null ? null : Number(cost.nano) / 1e9
}

describe('an answer costs what the model costs that was asked', () => {
  test.each([
    ['where it names none', null],
    ['where it names the same', 'big'],
    ['where it names one that nobody priced', 'strange'],
    ['where it names a version whose price is that of its name', 'big-2024-08-06'],
  ])('%s', (_where, answered) => {
    expect(costs(answered)).toBe(10)
    expect(costs(answered, { isVendor: false })).toBe(10)
  })

  test('where it names a version and the tenant set a price for the name', () => {
    const overrides = [own('big', '7')]
    for (const answered of ['big-2024-08-06', 'big-2024-05-13']) expect(costs(answered, { overrides })).toBe(7)
    expect(costs('big-20250514', { asked: 'big-latest', overrides: [own('big-latest', '6')] })).toBe(6)
  })

  test('where the prices of both are in different currencies', () => {
    expect(costs('small', { overrides: [own('big', '7', 'EUR')] })).toBe(7)
  })
})

describe('an answer costs what the model costs that gave it', () => {
  test('where that is dearer, whoever says so', () => {
    for (const isVendor of [true, false]) {
      expect(costs('big', { asked: 'small', isVendor })).toBe(10)
      expect(costs('big-2024-05-13', { isVendor })).toBe(20)
    }
  })

  test('where that is cheaper and the vendor itself says so', () => {
    expect(costs('small')).toBe(1)
    expect(costs('small', { isVendor: false })).toBe(10)
  })

  test('where only that has a price and the vendor itself says so', () => {
    expect(costs('small', { asked: 'strange' })).toBe(1)
    expect(costs('small', { asked: 'strange', isVendor: false })).toBe(null)
  })

  test('by the price the tenant set for it, or for what it is a version of', () => {
    expect(costs('big-2024-05-13', { asked: 'small', overrides: [own('big', '7')] })).toBe(7)
    const overrides = [own('big', '7'), own('big-2024-08-06', '8')]
    expect(costs('big-2024-08-06', { overrides })).toBe(8)
  })
})
