import { expect, test } from 'vitest'
import { ago, milliseconds, money, points, words } from './format.ts'

test('names become words and abbreviations keep their capitals', () => {
  expect(words('in_progress')).toBe('In progress')
  expect(words('ai_governance')).toBe('AI governance')
  expect(words('alert_sla')).toBe('Alert SLA')
})

test('numbers are what the API says, shortened only where nothing is lost', () => {
  expect(points(61.5)).toBe('61.5')
  expect(points(61.25)).toBe('61.25')
  expect(milliseconds(0.42)).toBe('0.42 ms')
  expect(milliseconds(12_340)).toBe('12.3 s')
  expect(money('0.000125', 'USD')).toBe('$0.000125')
  expect(money(1_250_000, 'EUR')).toBe('€1,250,000')
})

test('ages are told in the largest unit that fits', () => {
  const now = Date.parse('2026-11-27T12:00:00Z')
  expect(ago('2026-11-27T11:57:00Z', now)).toBe('3 min. ago')
  expect(ago('2026-11-25T11:00:00Z', now)).toBe('2 days ago')
})
