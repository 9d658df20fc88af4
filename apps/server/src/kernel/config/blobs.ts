/** Settings of the store of uploaded and made files; without a bucket they are in the data folder. */
import { optional, type Setting, text, url } from './forms.ts'

export const blobSettings = {
  blobsS3: {
    env: 'PARAPET_BLOBS_S3',
    doc: 'Bucket that keeps files, encrypted: https://<endpoint>/<bucket>/<prefix>; default the folder <data>/blobs. Several instances need one.',
    read: url(['http:', 'https:']),
  },
  blobsS3Region: { env: 'PARAPET_BLOBS_S3_REGION', doc: 'Region of that bucket.', read: text('us-east-1') },
  blobsS3Key: {
    env: 'PARAPET_BLOBS_S3_KEY',
    doc: 'Its key, id:secret or id:secret:session token; it may read, write and delete objects and list multipart uploads.',
    secret: true,
    read: optional,
  },
} as const satisfies Record<string, Setting<unknown>>
