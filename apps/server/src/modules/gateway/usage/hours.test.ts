import { expect, test } from 'vitest'
import { type HourlyCall, hoursOf } from './hours.ts'

const call = (over: Partial<HourlyCall> = {}): HourlyCall => ({
  hour: '2026-03-01T10:00:00.000Z',
  offline: false,
  status: 'completed',
  policies: [{ id: '01900000-0000-7000-8000-000000000001', version: 1, sha256: 'a' }],
  policy_mode: 'enforce',
  usage: {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    cached_tokens: 2,
    reasoning_tokens: 0,
    usage_source: 'upstream',
  },
  fail_open: [],
  finished_at: '2026-03-01T10:05:00.000Z',
  has_entities: false,
  leaked: false,
  ...over,
})

test('calls of an hour are counted together, by what became of them', () => {
  const later = '2026-03-01T10:59:00.000Z'
  expect(
    hoursOf([
      call({ finished_at: later }),
      call({ status: 'blocked', usage: null, has_entities: true }),
      call({
        policy_mode: 'monitor',
        fail_open: ['sensitive_data', 'normalization'],
        has_entities: true,
        leaked: true,
      }),
    ]),
  ).toEqual([
    {
      hour: '2026-03-01T10:00:00.000Z',
      offline: false,
      calls: 3,
      blocked: 1,
      enforced: 2,
      fail_open: 1,
      with_entities: 2,
      leaked: 1,
      input_tokens: 20,
      output_tokens: 10,
      last_at: later,
    },
  ])
})

test('another hour and the demo provider are counted apart, in one order', () => {
  const calls = [call({ hour: '2026-03-01T11:00:00.000Z' }), call({ offline: true }), call()]
  const hours = hoursOf(calls)
  expect(hours.map(({ hour, offline }) => [hour.slice(11, 13), offline])).toEqual([
    ['10', false],
    ['10', true],
    ['11', false],
  ])
  expect(hoursOf([...calls].reverse())).toEqual(hours)
})

test('a call that ended before its policies were looked up is no evidence for anything', () => {
  expect(hoursOf([call({ status: 'failed', usage: null, policies: [] })])).toEqual([])
})
