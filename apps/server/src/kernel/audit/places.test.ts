import { afterEach, expect, test } from 'vitest'
import { loadConfig } from '../config/load.ts'
import { closeAll, egressWith } from '../egress/testing/upstream.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { checkpointPlaces } from './places.ts'

afterEach(closeAll)

const places = (env: Record<string, string>) =>
  checkpointPlaces({ config: loadConfig(env), clock: createFakeClock() }, { egress: egressWith() }).map(
    ({ name }) => name,
  )

test('only the places that are set get checkpoints', () => {
  expect(places({})).toEqual([])
  expect(
    places({
      PARAPET_CHECKPOINT_WEBHOOK: 'https://hook.example/',
      PARAPET_CHECKPOINT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      PARAPET_CHECKPOINT_S3: 'https://s3.example/bucket/notes',
      PARAPET_CHECKPOINT_S3_KEY: 'AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG',
      PARAPET_CHECKPOINT_SYSLOG: 'tls://log.example:6514',
    }),
  ).toEqual(['webhook', 's3', 'syslog'])
})

test('a place without its secret is no start', () => {
  expect(() => places({ PARAPET_CHECKPOINT_WEBHOOK: 'https://hook.example/' })).toThrow('whsec_')
  expect(() => places({ PARAPET_CHECKPOINT_S3: 'https://s3.example/bucket' })).toThrow('id:secret')
  expect(() => places({ PARAPET_CHECKPOINT_SYSLOG: 'udp://log.example' })).toThrow('PARAPET_CHECKPOINT_SYSLOG')
})
