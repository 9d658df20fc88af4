import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { closeAll, egressWith } from '../../egress/testing/upstream.ts'
import { bucketKey, testBucket } from '../../s3/testing/bucket.ts'
import { createDiskBlobs } from '../adapters/disk.ts'
import { createS3Blobs } from '../adapters/s3.ts'
import type { BlobStore } from '../port.ts'

/** A store of a test, with a way to see how many files are in it and to damage them. */
export interface TestStore {
  readonly store: BlobStore
  close(): Promise<void>
}

async function openDisk(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-blobs-'))
  const close = () => rm(folder, { recursive: true, force: true })
  return { store: createDiskBlobs(join(folder, 'data', 'blobs')), close }
}

async function openBucket(): Promise<TestStore> {
  const bucket = await testBucket()
  const credential = `${bucketKey.id}:${bucketKey.secret}`
  const place = { endpoint: bucket.endpoint, region: 'eu-test-1', bucket: 'backups', prefix: 'files/', credential }
  return { store: createS3Blobs({ egress: egressWith(), clock: systemClock() }, place), close: closeAll }
}

/** Every adapter, by name. */
export const testStores = [
  ['the disk', openDisk],
  ['a bucket', openBucket],
] as const
