import type { S3Parts, S3Place } from '../s3/client.ts'
import { createS3Objects } from '../s3/objects.ts'
import type { BackupStore } from './store.ts'

/** A bucket that speaks S3 as a place for backups. Tested in the admin module's schedule.test.ts. */
export function createS3Store(parts: S3Parts, place: S3Place): BackupStore {
  const objects = createS3Objects(parts, place)
  const nameOf = (id: string): string => `${id}.parapet-backup`
  return {
    check: objects.check,
    write: (id, chunks) => objects.write(nameOf(id), chunks),
    read: (id) => objects.read(nameOf(id)),
    size: (id) => objects.size(nameOf(id)),
    remove: (id) => objects.remove(nameOf(id)),
  }
}
