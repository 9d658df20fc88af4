/** Settings of the places that keep signed checkpoints of the audit log outside the database. */
import { baseUrl, optional, type Setting, text, url, whole, word } from './forms.ts'

export const checkpointSettings = {
  checkpointDir: {
    env: 'PARAPET_CHECKPOINT_DIR',
    doc: 'Folder of signed audit checkpoints, best on another disk or a write-once mount; default <data>/checkpoints.',
    read: optional,
  },
  checkpointWebhook: {
    env: 'PARAPET_CHECKPOINT_WEBHOOK',
    doc: 'Address that gets every signed audit checkpoint as well; needs the secret below.',
    read: url(['http:', 'https:']),
  },
  checkpointWebhookSecret: {
    env: 'PARAPET_CHECKPOINT_WEBHOOK_SECRET',
    doc: 'Key of its signatures (Standard Webhooks): whsec_ and the base64 of 24 to 64 random bytes.',
    secret: true,
    read: optional,
  },
  checkpointS3: {
    env: 'PARAPET_CHECKPOINT_S3',
    doc: 'Bucket that gets every signed audit checkpoint as well: https://<endpoint>/<bucket>/<prefix>; needs the key below.',
    read: baseUrl(),
  },
  checkpointS3Region: { env: 'PARAPET_CHECKPOINT_S3_REGION', doc: 'Region of that bucket.', read: text('us-east-1') },
  checkpointS3Key: {
    env: 'PARAPET_CHECKPOINT_S3_KEY',
    doc: 'Its key, best one that may only write: id:secret or id:secret:session token.',
    secret: true,
    read: optional,
  },
  checkpointS3Lock: {
    env: 'PARAPET_CHECKPOINT_S3_LOCK',
    doc: 'Mode of the object lock each checkpoint is stored with; the bucket has to allow locks.',
    read: word(['none', 'governance', 'compliance'], 'none'),
  },
  checkpointS3LockDays: {
    env: 'PARAPET_CHECKPOINT_S3_LOCK_DAYS',
    doc: 'Days for which it is locked.',
    read: whole(2557, 1, 36_500),
  },
  checkpointSyslog: {
    env: 'PARAPET_CHECKPOINT_SYSLOG',
    doc: 'Syslog receiver (RFC 5424) that gets every signed audit checkpoint as well: tls://host:6514, or tcp://host:514 at a private address that is allowed.',
    read: url(['tls:', 'tcp:']),
  },
} as const satisfies Record<string, Setting<unknown>>
