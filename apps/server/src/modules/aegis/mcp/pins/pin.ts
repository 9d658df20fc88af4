/** The pin of a definition. Pure. Tested in pins.test.ts. */
import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type Definition = Readonly<Record<string, unknown>>

/**
 * SHA-256, in hex, of the RFC 8785 canonical form of a whole definition, unknown members included: the order of members and
 * white space do not count, everything else does.
 */
export const pinOf = (definition: unknown): string => canonicalHash(definition)

/** The longest key of a pin. */
const longestKey = 2_048

/** Pins of prompts by their name, and of templates by their URI; a definition without one cannot be requested. */
export function pinsByKey(definitions: readonly Definition[], key: 'name' | 'uriTemplate'): Record<string, string> {
  const named = definitions.flatMap((definition) => {
    const name = definition[key]
    return typeof name === 'string' && name.length <= longestKey ? [[name, pinOf(definition)] as const] : []
  })
  return Object.fromEntries(named)
}
