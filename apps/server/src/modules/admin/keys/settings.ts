import Type from 'typebox'
import { defineSetting } from '../../../kernel/settings/define.ts'

const Days = Type.Integer({ minimum: 0, maximum: 3650 })

export const dataKeyDays = defineSetting({
  key: 'keys.data_days',
  schema: Days,
  default: 365,
  scope: 'both',
  description: 'Days after which a data key is replaced and what it locked is locked anew; 0 leaves that to people.',
})

export const tokenKeyDays = defineSetting({
  key: 'keys.token_signing_days',
  schema: Days,
  default: 90,
  scope: 'platform',
  description:
    'Days after which the key that signs tokens is replaced, which signs nobody out; 0 leaves that to people.',
})
