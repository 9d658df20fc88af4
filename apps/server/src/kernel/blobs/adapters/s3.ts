import type { S3Parts, S3Place } from '../../s3/client.ts'
import { createS3Objects, type S3Objects } from '../../s3/objects.ts'
import { BlobError, type BlobName, type BlobStore, checkBlobName } from '../port.ts'

/** Blobs as objects `<prefix><tenant>/<id>` of a bucket that speaks S3. Every call is signed and goes through the guarded way out. */
export function createS3Blobs(parts: S3Parts, place: S3Place): BlobStore {
  const objects = createS3Objects(parts, place)
  const nameOf = (name: BlobName): string => {
    checkBlobName(name)
    return `${name.tenantId}/${name.id}`
  }
  return {
    put: (name, content) => objects.write(nameOf(name), content),
    read: (name, range) => read(objects, nameOf(name), range),
    delete: async (name) => {
      await objects.remove(nameOf(name))
      await objects.abortUploads(nameOf(name))
    },
    check: objects.check,
  }
}

async function* read(objects: S3Objects, name: string, range: Parameters<S3Objects['read']>[1]) {
  const bytes = await objects.size(name)
  if (bytes === null) throw new BlobError('missing', 'The blob is not in its bucket.')
  if (bytes === 0) return
  const end = Math.min(range?.end ?? bytes, bytes - 1)
  yield* objects.read(name, { start: range?.start ?? 0, end })
}
