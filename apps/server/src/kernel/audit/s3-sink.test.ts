import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { closeAll, egressWith } from '../egress/testing/upstream.ts'
import { s3PlaceOf } from '../s3/place.ts'
import { bucketKey, testBucket } from '../s3/testing/bucket.ts'
import { tenantA } from '../testing/event-world.ts'
import { createS3Sink } from './s3-sink.ts'

afterEach(closeAll)

const credential = `${bucketKey.id}:${bucketKey.secret}`
const clock = { ...systemClock(), now: () => Date.parse('2026-03-01T12:00:00.000Z') }
const checkpoint = {
  tenantId: tenantA,
  size: 1_000,
  headHash: 'ab'.repeat(32),
  at: '2026-03-01T12:00:00.000Z',
  note: 'note\n\u2014 k1\n',
}
const key = `chain/notes/${tenantA}/0000000000001000.note`

test('C61 a checkpoint is stored under its size, locked as long as the operator says', async () => {
  const bucket = await testBucket()
  const place = s3PlaceOf(`${bucket.endpoint}/backups/chain/notes`, { region: 'eu-test-1', credential })
  const sink = (lock: Parameters<typeof createS3Sink>[0]['lock']) =>
    createS3Sink({ egress: egressWith(), clock, place, lock })
  await sink({ mode: 'compliance', days: 10 }).write(checkpoint)
  expect(bucket.files.get(key)?.toString()).toBe(checkpoint.note)
  expect(bucket.headers.get(key)).toMatchObject({
    'x-amz-object-lock-mode': 'COMPLIANCE',
    'x-amz-object-lock-retain-until-date': '2026-03-11T12:00:00.000Z',
  })
  await sink(null).write(checkpoint)
  expect(bucket.headers.get(key)).not.toHaveProperty('x-amz-object-lock-mode')
  expect([...bucket.files.keys()]).toEqual([key])
})

test('a bucket that refuses is a failure', async () => {
  const bucket = await testBucket()
  const at = (path: string, wrong = credential) => {
    const place = s3PlaceOf(`${bucket.endpoint}${path}`, { region: 'eu-test-1', credential: wrong })
    return createS3Sink({ egress: egressWith(), clock, place, lock: null })
  }
  await expect(at('/others').write(checkpoint)).rejects.toThrow('403 (NoSuchBucket)')
  await expect(at('/backups', 'AKIDEXAMPLE:anotherSecret').write(checkpoint)).rejects.toThrow(
    '403 (SignatureDoesNotMatch)',
  )
})

test.each([
  'https://s3.example',
  'https://s3.example/Bucket',
  'https://s3.example/bucket?x=1',
  'https://u@s3.example/bucket',
])('the address %s names no bucket', (address) => {
  expect(() => s3PlaceOf(address, { region: 'r', credential })).toThrow('<bucket>')
})

test('a bucket without a good key is refused at the start', () => {
  for (const wrong of ['', 'id', 'id:'])
    expect(() => s3PlaceOf('https://s3.example/bucket', { region: 'r', credential: wrong })).toThrow('id:secret')
})
