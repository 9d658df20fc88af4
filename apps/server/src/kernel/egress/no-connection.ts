/**
 * Why a connection was not made, in words that name no address: from the codes of the system and of OpenSSL. Null where
 * the cause has none of them. Tested in no-connection.test.ts.
 */
export function whyNoConnection(error: unknown): string | null {
  for (const { code } of causesOf(error)) {
    const words = said[code] ?? (tlsCode.test(code) ? 'TLS failed, as where only http is spoken' : null)
    if (words !== null) return words
  }
  return null
}

const tlsCode = /^(?:ERR_SSL_|EPROTO$)/

const said: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'no connection in time',
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'no name server answered',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not from an authority that is trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not from an authority that is trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is not from an authority that is trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not from an authority that is trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not from an authority that is trusted here',
}

// A cause that leads back to itself ends here.
const deepest = 8

function causesOf(error: unknown): readonly { readonly code: string }[] {
  const found: { code: string }[] = []
  let at = error
  for (let depth = 0; at instanceof Error && depth < deepest; depth += 1) {
    if ('code' in at && typeof at.code === 'string') found.push({ code: at.code })
    at = at.cause
  }
  return found
}
