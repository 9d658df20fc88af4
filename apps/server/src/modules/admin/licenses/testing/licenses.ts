import { createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** A distributor for tests: a fixed key, so that every world knows it from its environment. */
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
})
const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })

/** As `PARAPET_LICENSE_KEYS` has it. */
export const distributorKey = `test:${x}`

export interface SignedWith {
  readonly header?: object
  readonly key?: typeof privateKey
}

/** A license that is valid unless `claims` say otherwise. */
export function signLicense(claims: object, { header = {}, key = privateKey }: SignedWith = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'EdDSA', kid: 'test', ...header })}.${part({ ...valid, ...claims })}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

const valid = {
  license_id: 'sample',
  customer: 'Sample',
  plan: 'team',
  seats: null,
  entitlements: { support: true },
  not_before: '2020-01-01T00:00:00.000Z',
  expires_at: null,
  grace_days: 14,
}
