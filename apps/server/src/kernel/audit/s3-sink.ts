/**
 * A bucket that speaks S3 as a place for signed checkpoints, best one with object lock: nobody can remove a locked
 * object early, neither the database's owner nor an attacker with this process's key. Tested in s3-sink.test.ts.
 */

import { createHash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { createS3Client, expectStatus, type S3Parts, type S3Place, told } from '../s3/client.ts'
import type { CheckpointSink } from './checkpoint.ts'
import { noteName } from './checkpoint-sinks.ts'

export interface ObjectLock {
  /** `compliance`: nobody at all may shorten it; `governance`: holders of a special right may. */
  readonly mode: 'compliance' | 'governance'
  readonly days: number
}

export interface S3SinkParts extends S3Parts {
  readonly clock: Pick<Clock, 'now' | 'after' | 'iso'>
  readonly place: S3Place
  readonly lock: ObjectLock | null
}

const dayMs = 86_400_000

/** Keeps notes as `<prefix><tenant>/<size>.note`. */
export function createS3Sink({ place, lock, ...parts }: S3SinkParts): CheckpointSink {
  const send = createS3Client(parts, place)
  return {
    write: async ({ tenantId, size, note }) => {
      const body = Buffer.from(note)
      // A request that locks has to carry a digest of its body.
      const digest = createHash('md5').update(body).digest('base64')
      const until = new Date(parts.clock.now() + (lock?.days ?? 0) * dayMs).toISOString()
      const headers = {
        'content-md5': digest,
        'content-type': 'text/plain; charset=utf-8',
        ...(lock === null
          ? {}
          : { 'x-amz-object-lock-mode': lock.mode.toUpperCase(), 'x-amz-object-lock-retain-until-date': until }),
      }
      const name = `${tenantId}/${noteName(size)}`
      expectStatus(await told(send({ method: 'PUT', name, headers, body })), [200])
    },
  }
}
