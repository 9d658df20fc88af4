import { X509Certificate } from 'node:crypto'
import { pem } from './self-signed.ts'

export interface ReadCertificate {
  readonly pem: string
  /** ISO 8601. */
  readonly expiresAt: string
}

/** A certificate in PEM, or the bare base64 of one as metadata has it. Null when it is none or its key is too weak. */
export function readCertificate(text: string): ReadCertificate | null {
  const base64 = text.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < 2048) return null
    return { pem: pem('CERTIFICATE', certificate.raw), expiresAt: new Date(certificate.validTo).toISOString() }
  } catch {
    // Not a certificate: the caller says so, with the place it stands in.
    return null
  }
}

/** When the last of them ends: sign-in can work until then. */
export function lastExpiry(certificates: readonly string[]): string | null {
  const ends = certificates.flatMap((text) => readCertificate(text)?.expiresAt ?? [])
  return ends.toSorted().at(-1) ?? null
}
