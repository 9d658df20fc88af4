import { expect, test } from 'vitest'
import { hears, likePattern } from './patterns.ts'

test('a pattern hears whole segments', () => {
  expect(hears(['aegis.alert.*'], 'aegis.alert.created')).toBe(true)
  expect(hears(['aegis.alert.*'], 'aegis.alerts.created')).toBe(false)
  expect(hears(['*'], 'trust.score.updated')).toBe(true)
  expect(hears(['trust.score.updated'], 'trust.score.updated')).toBe(true)
  expect(hears([], 'trust.score.updated')).toBe(false)
})

test('the database reads the same pattern, with underscores as they are', () => {
  expect(likePattern('aegis.kill_switch.*')).toBe('aegis.kill\\_switch.%')
  expect(likePattern('aegis.kill_switch.activated')).toBe('aegis.kill\\_switch.activated')
  expect(likePattern('*')).toBe('%')
})
