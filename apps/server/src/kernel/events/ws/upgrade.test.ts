import { expect, test } from 'vitest'
import { addressBehindProxies } from './address.ts'
import { createBucket } from './limits.ts'
import { judgeUpgrade } from './upgrade.ts'

const rules = { publicUrl: 'https://parapet.example/', allowedOrigins: ['https://console.example'] }
const judge = (url: string, headers = {}) => judgeUpgrade({ url, headers }, rules)

test.each([
  ['/ws?token=x', 400],
  ['/ws?access_token=x', 400],
  ['/ws?API-Key=x', 400],
  ['//', 400],
  ['/', 404],
  ['/ws/x', 404],
])('C23 an upgrade of %s is refused with %i', (url, status) => {
  expect(judge(url)).toEqual({ status })
})

test('a credential in a header is taken along', () => {
  expect(judge('/ws', { authorization: 'Bearer abc' })).toEqual({ token: 'abc' })
  expect(judge('/ws', { 'x-api-key': 'ppt_1' })).toEqual({ token: 'ppt_1' })
  expect(judge('/ws?v=1')).toEqual({ token: undefined })
})

test('C09 the client is the last address no trusted proxy vouches for', () => {
  const from = { peer: '10.0.0.1', forwardedFor: '203.0.113.9, 198.51.100.4, 10.0.0.2' }
  expect(addressBehindProxies(from, [])).toBe('10.0.0.1')
  expect(addressBehindProxies(from, ['10.0.0.0/8'])).toBe('198.51.100.4')
  expect(addressBehindProxies({ ...from, peer: '192.0.2.1' }, ['10.0.0.0/8'])).toBe('192.0.2.1')
  expect(addressBehindProxies({ peer: '10.0.0.1', forwardedFor: 'nonsense' }, ['10.0.0.0/8'])).toBe('10.0.0.1')
})

test('a bucket gives its burst at once and then its rate', () => {
  let now = 0
  const bucket = createBucket(10, 3, () => now)
  expect([bucket.take(), bucket.take(), bucket.take(), bucket.take()]).toEqual([true, true, true, false])
  now = 100
  expect([bucket.take(), bucket.take()]).toEqual([true, false])
})
