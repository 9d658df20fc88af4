/**
 * The one way to write JSON so that equal values are equal bytes (RFC 8785): everything hashed, signed or compared goes
 * through here. Pure. Tested in canonical-json.test.ts.
 */
import canonicalize from 'canonicalize'
import { sha256 } from './digest.ts'

// The package is CommonJS with a declaration written for a module: at run time the import is the function itself.
const serialize = canonicalize as unknown as typeof canonicalize.default

/** RFC 8785 canonical JSON. @throws RangeError for a value without a JSON form. */
export function canonicalJson(value: unknown): string {
  const text = serialize(value)
  if (text === undefined) throw new RangeError('The value has no JSON form')
  return text
}

/** SHA-256 of the canonical JSON, in hex. */
export function canonicalHash(value: unknown): string {
  return sha256(canonicalJson(value))
}
