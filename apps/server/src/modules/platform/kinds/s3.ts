/** A bucket that data discovery reads. Tested in deliveries.test.ts. */
import Type from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import { Secret, Url, Word } from './fields.ts'
import { defineKind } from './kind.ts'

export const s3 = defineKind({
  kind: 's3',
  title: 'S3 bucket',
  description: 'A bucket that speaks S3, for data discovery; nothing is written to it. The test lists one object.',
  config: strictObject({
    endpoint: Url,
    region: Word,
    bucket: Type.String({ minLength: 3, maxLength: 63, pattern: '^[a-z0-9][a-z0-9.-]+$' }),
    prefix: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  credentials: strictObject({
    access_key_id: Secret,
    secret_access_key: Secret,
    session_token: Type.Optional(Secret),
  }),
  transport: {
    type: 's3',
    place: (config, { access_key_id: id, secret_access_key: secret, session_token: session }) => ({
      ...{ endpoint: config.endpoint, region: config.region, bucket: config.bucket, prefix: config.prefix ?? '' },
      credential: [id, secret, ...(session === undefined ? [] : [session])].join(':'),
    }),
  },
})
