import { expect, test } from 'vitest'
import { limitHeaders, securityHeaders } from './headers.ts'

test('C41 only an installation behind TLS says so', () => {
  expect(securityHeaders('https://parapet.example')).toHaveProperty('strict-transport-security')
  expect(securityHeaders('http://127.0.0.1:8080')).not.toHaveProperty('strict-transport-security')
})

test('the moment of the reset is in whole seconds and not before it', () => {
  const decision = { allowed: true, limit: 10, remaining: 3, resetAtMs: 1_700_000_000_001, retryAfterMs: 0 }
  expect(limitHeaders(decision)).toEqual({
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': '3',
    'x-ratelimit-reset': '1700000001',
  })
})
