/**
 * Reads a license: a JWS (RFC 7515) that a known distributor signed with Ed25519 (RFC 8037). Offline, and by the key ids
 * of the setting alone: a key that the license brings along counts for nothing. Tested in licenses.test.ts.
 */
import { compactVerify, importJWK, errors as joseErrors } from 'jose'
import { lazyCheck } from '../../../kernel/schema/validators.ts'
import { errors } from '../errors/errors.ts'
import { LicenseClaims } from './schemas.ts'

const check = lazyCheck(LicenseClaims)

export interface ReadLicense {
  readonly claims: LicenseClaims
  readonly kid: string
}

/** @throws ADM-007: the key is not known, the signature is wrong, the form is not a license's */
export async function readLicense(jws: string, keys: readonly string[]): Promise<ReadLicense> {
  const known = new Map(keys.map((text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)]))
  let used = ''
  try {
    const { payload } = await compactVerify(
      jws,
      ({ kid }) => {
        const x = kid === undefined ? undefined : known.get(kid)
        if (kid === undefined || x === undefined) throw errors.licenseRefused({ why: 'its key is not known' })
        used = kid
        return importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA')
      },
      { algorithms: ['EdDSA'] },
    )
    return { claims: claimsIn(payload), kid: used }
  } catch (error) {
    if (error instanceof joseErrors.JOSEError)
      throw errors.licenseRefused({ why: 'its signature is not valid' }).causedBy(error)
    throw error
  }
}

/** @throws ADM-007 */
function claimsIn(payload: Uint8Array): LicenseClaims {
  const parsed = parse(payload)
  const wrong = check(parsed)
  if (wrong.length > 0) throw errors.licenseRefused({ why: `${wrong[0]?.pointer ?? ''} is not as a license has it` })
  return parsed as LicenseClaims
}

function parse(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString('utf8'))
  } catch (error) {
    throw errors.licenseRefused({ why: 'it holds no JSON' }).causedBy(error)
  }
}
