/** Tokens that say they are an operator's, signed by nobody, by ourselves, or with what the installation publishes. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'

const nobody = '01890000-0000-7000-8000-000000000000'
const segment = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** @param keys the published keys as text, whatever stands in it @returns pairs of what it is and the token */
export function forgedTokens(keys, issuer) {
  const [published = {}] = keysIn(keys)
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    ...{ iss: issuer, aud: 'parapet', sub: nobody, tid: nobody, sid: nobody, jti: nobody, role: 'super_admin' },
    ...{ permissions: ['iam:admin'], iat: now, exp: now + 3600, auth_time: now, amr: ['pwd', 'mfa'], acr: 'aal2' },
  }
  const own = generateKeyPairSync('ed25519')
  const head = { alg: 'EdDSA', typ: 'at+jwt', kid: published.kid }
  const by = (header, signer) => {
    const signed = `${segment({ ...head, ...header })}.${segment(claims)}`
    return `${signed}.${signer(signed)}`
  }
  const stranger = (signed) => sign(null, Buffer.from(signed), own.privateKey).toString('base64url')
  const mac = (key) => (signed) => createHmac('sha256', key).update(signed).digest('base64url')
  return [
    ...['none', 'None', 'NONE', 'nOnE'].map((alg) => [`alg ${alg}`, by({ alg }, () => '')]),
    ['signed by a stranger', by({}, stranger)],
    ['signed by a stranger whose key it brings', by({ jwk: own.publicKey.export({ format: 'jwk' }) }, stranger)],
    ['signed by a stranger whose keys it names', by({ jku: 'https://elsewhere.example/jwks.json' }, stranger)],
    ['without the name of a key', by({ kid: undefined }, stranger)],
    ['with a key that is a path', by({ kid: '../../../../dev/null' }, mac(''))],
    ['HS256 with the published key', by({ alg: 'HS256' }, mac(Buffer.from(published.x ?? '', 'base64url')))],
    ['HS256 with the published key as JSON', by({ alg: 'HS256' }, mac(JSON.stringify(published)))],
    ['HS256 with nothing', by({ alg: 'HS256' }, mac(''))],
    ['empty parts', '..'],
    ['a token of 100 kB', `${'A'.repeat(100_000)}.A.A`],
  ]
}

function keysIn(text) {
  try {
    const { keys } = JSON.parse(text)
    return Array.isArray(keys) ? keys : []
  } catch {
    return []
  }
}
