import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { type ListPrice, PriceSheet } from './price.ts'
import { createPriceBook, type PriceOverride } from './price-book.ts'
import { shippedPrices } from './shipped/shipped.ts'

const now = '2026-03-01T00:00:00.000Z'
const openai = { id: 'p1', kind: 'openai' }

const override = (over: Partial<PriceOverride>): PriceOverride => ({
  id: 'a',
  provider_id: 'p1',
  model: 'gpt-4o',
  sheet: { currency: 'EUR', prices: { input: '1', output: '2' } },
  valid_from: '2026-01-01T00:00:00.000Z',
  ...over,
})

describe('the shipped list', () => {
  const book = createPriceBook(shippedPrices, [])
  const inputOf = (kind: string, model: string) => book.shipped({ kind, model }, now)?.sheet.prices.input

  test('holds well-formed prices, each with its source and the day somebody looked', () => {
    for (const { provider, model, valid_from, source, checked_at, max_output_tokens, ...sheet } of shippedPrices) {
      expect([model, ...Value.Errors(PriceSheet, sheet)]).toEqual([model])
      expect(source).toContain(`known at ${checked_at}`)
      expect(sheet.prices.input).toBeDefined()
    }
    const names = shippedPrices.map(({ provider, model }) => `${provider}/${model}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('knows dated versions by their name, and an exact name better', () => {
    expect(inputOf('openai', 'gpt-4o')).toBe('2.5')
    expect(inputOf('openai', 'gpt-4o-2024-08-06')).toBe('2.5')
    expect(inputOf('openai', 'gpt-4o-2024-05-13')).toBe('5')
    expect(inputOf('anthropic', 'claude-sonnet-4-20250514')).toBe('3')
    expect(inputOf('aws_bedrock', 'eu.amazon.nova-lite-v1:0')).toBe('0.06')
  })

  test('guesses nothing about a model it does not name', () => {
    expect(inputOf('openai', 'gpt-4o-audio-preview')).toBeUndefined()
    expect(inputOf('openai_compatible', 'gpt-4o')).toBeUndefined()
    expect(inputOf('ollama', 'llama3')).toBeUndefined()
  })

  test('says nothing about a time before a price', () => {
    expect(book.shipped({ kind: 'openai', model: 'gpt-4o' }, '2020-01-01T00:00:00.000Z')).toBe(null)
  })
})

describe('a price of the tenant', () => {
  const inputAt = (overrides: readonly PriceOverride[], at: string) =>
    createPriceBook(shippedPrices, overrides).find({ provider: openai, model: 'gpt-4o' }, at)?.sheet.prices.input

  test('stands before the shipped one from its day on', () => {
    const future = [override({ valid_from: '2026-06-01T00:00:00.000Z' })]
    expect(inputAt(future, now)).toBe('2.5')
    expect(inputAt(future, '2026-06-01T00:00:00.000Z')).toBe('1')
  })

  test('is replaced by a newer one, and by the shipped one where it was taken back', () => {
    const newer = override({
      id: 'b',
      sheet: { currency: 'EUR', prices: { input: '9' } },
      valid_from: '2026-02-01T00:00:00.000Z',
    })
    const back = override({ id: 'c', sheet: null, valid_from: '2026-02-15T00:00:00.000Z' })
    expect(inputAt([newer, override({})], '2026-02-02T00:00:00.000Z')).toBe('9')
    expect(inputAt([override({}), newer, back], now)).toBe('2.5')
  })

  test('is of one provider only', () => {
    const book = createPriceBook(shippedPrices, [override({ provider_id: 'p2' })])
    expect(book.find({ provider: openai, model: 'gpt-4o' }, now)?.source).toContain('OpenAI')
  })

  test('has a version of its own, as every list price has', () => {
    const book = createPriceBook(shippedPrices, [override({})])
    expect(book.find({ provider: openai, model: 'gpt-4o' }, now)?.id).toBe('tenant:a')
    expect(book.find({ provider: openai, model: 'gpt-4.1' }, now)?.id).toMatch(/^list:openai\/gpt-4\.1@[0-9a-f]{12}$/)
    const one: ListPrice = { ...shippedPrices[0], ...({ prices: { input: '99' } } as const) } as ListPrice
    const id = (list: readonly ListPrice[]) =>
      createPriceBook(list, []).shipped({ kind: 'openai', model: one.model }, now)
    expect(id([one])?.id).not.toBe(id(shippedPrices)?.id)
  })
})
