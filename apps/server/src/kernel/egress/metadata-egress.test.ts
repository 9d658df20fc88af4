import { expect, test } from 'vitest'
import { createEgress } from './fetch.ts'
import { metadataEgress, metadataOrigin } from './metadata-egress.ts'

const clock = { monotonic: () => 0 }
const egress = metadataEgress(clock)

test('C50 the way to the metadata of a cloud leads there', () => {
  expect(egress.checkUrl(`${metadataOrigin}/computeMetadata/v1/`)).toMatchObject({ ok: true })
})

test.each([
  'http://169.254.169.253/',
  'http://169.254.170.2/v2/credentials',
  'http://127.0.0.1/',
  'https://8.8.8.8/',
  'http://10.0.0.1/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fd00:ec2::254]/',
  'http://metadata.google.internal/',
  'https://api.example.com/',
])('C50 and not to %s', async (url) => {
  expect(await egress.resolveAndCheckBase(url)).toMatchObject({ ok: false })
})

test('C50 no other way leads there, whatever the operator allows', () => {
  const allowing = createEgress({ allowedPrivate: ['169.254.0.0/16'], ports: [80], now: clock.monotonic })
  expect(allowing.checkUrl(metadataOrigin)).toEqual({ ok: false, rule: 'metadata' })
})
