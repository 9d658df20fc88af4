import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { EntityRule } from '../policy/effective.ts'

type Exemption = EntityRule['exempt'][number]

/** Whether every policy that searches for the value lists it as harmless. Tested in policy-content.test.ts. */
export function isExempt(value: string, { exempt }: EntityRule): boolean {
  // Most policies list none, and needlessly hashing every value would noticeably slow calls down.
  if (exempt.length === 0 || exempt.some(isEmpty)) return false
  const plain = value.trim().toLowerCase()
  const host = plain.slice(plain.lastIndexOf('@') + 1)
  const hash = sha256(plain)
  return exempt.every(
    ({ domains, values_sha256: hashes }) =>
      hashes.includes(hash) || (plain.includes('@') && domains.some((domain) => isWithin(host, domain))),
  )
}

function isEmpty({ domains, values_sha256: hashes }: Exemption): boolean {
  return domains.length === 0 && hashes.length === 0
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}
