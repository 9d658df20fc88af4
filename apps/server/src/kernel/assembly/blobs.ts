import { join } from 'node:path'
import { createDiskBlobs } from '../blobs/adapters/disk.ts'
import { createS3Blobs } from '../blobs/adapters/s3.ts'
import { createBlobs } from '../blobs/blobs.ts'
import type { BlobStore } from '../blobs/port.ts'
import { createSeamedStore } from '../blobs/seamed.ts'
import { type StorageLimit, storageLimitPort } from '../blobs/storage-limits.ts'
import type { Config } from '../config/load.ts'
import type { Database } from '../db/port.ts'
import type { Faults } from '../faults/seams.ts'
import type { TenantKeys } from '../keys/port.ts'
import type { Need } from '../module/ports/port.ts'
import type { S3Parts } from '../s3/client.ts'
import { s3PlaceOf } from '../s3/place.ts'
import type { AssembleInput } from './core.ts'

/** The store that the settings name. @throws Error with words for the operator */
function openBlobStore(config: Config, parts: S3Parts): BlobStore {
  const { blobsS3: address, blobsS3Region: region, blobsS3Key: credential } = config
  if (address === null) return createDiskBlobs(join(config.dataDir, 'blobs'))
  try {
    return createS3Blobs(parts, s3PlaceOf(address, { region, credential: credential ?? '' }))
  } catch (error) {
    throw new Error(`PARAPET_BLOBS_S3 and PARAPET_BLOBS_S3_KEY: ${error instanceof Error ? error.message : error}`)
  }
}

interface BlobNeeds {
  readonly db: Database
  readonly egress: S3Parts['egress']
  readonly keys: TenantKeys
  readonly need: Need
  readonly faults: Faults
}

export function assembleBlobs(
  { config, clock, random, schema: { tables } }: Pick<AssembleInput, 'config' | 'clock' | 'random' | 'schema'>,
  { db, egress, keys, need, faults }: BlobNeeds,
) {
  const storageLimit = need(storageLimitPort)
  const limitOf: StorageLimit = (tenantId) => storageLimit()(tenantId)
  const blobStore = createSeamedStore(openBlobStore(config, { egress, clock }), faults, clock)
  return { blobStore, blobs: createBlobs({ store: blobStore, db, keys, clock, random, limitOf, tables }) }
}
