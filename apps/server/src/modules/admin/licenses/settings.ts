import Type from 'typebox'
import { defineSetting } from '../../../kernel/settings/define.ts'

/** A key id and the 32 bytes of an Ed25519 public key in base64url, with a colon between them. */
export const distributorKeys = defineSetting({
  key: 'licenses.distributor_keys',
  schema: Type.Array(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}:[A-Za-z0-9_-]{43}$', maxLength: 110 }), {
    maxItems: 10,
  }),
  default: [],
  scope: 'platform',
  description:
    'Public keys of distributors whose licenses are taken: key id, colon, Ed25519 key in base64url. Without one the ' +
    'built-in open-source license is the only one.',
  environment: { name: 'PARAPET_LICENSE_KEYS', read: ({ licenseKeys }) => [...licenseKeys] },
  dangerous: true,
})
