/**
 * Reads a posted form strictly: input that two parsers could read in two ways is refused, as in JSON bodies. Tested in
 * form-body.test.ts.
 */

import { apiErrors } from '../../errors/errors.ts'
import { isStorableText } from '../../schema/storable-text.ts'
import { forbiddenNames } from './json-body.ts'

const maxFields = 100
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The fields of an `application/x-www-form-urlencoded` body, by name, all of them text.
 * @throws API-001 for a field that stands twice or has a name of the prototype, more than 100 fields, and text that is not UTF-8 or cannot be stored
 */
export function parseForm(bytes: Uint8Array, options: { readonly anyText: boolean }): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  let count = 0
  for (const [name, value] of pairsOf(bytes)) {
    count += 1
    if (count > maxFields) throw apiErrors.validation({ what: `The form has more than ${maxFields} fields.` })
    if (forbiddenNames.has(name)) throw apiErrors.validation({ what: 'The form has a field with a forbidden name.' })
    if (Object.hasOwn(fields, name)) throw apiErrors.validation({ what: 'A field of the form stands twice.' })
    if (!options.anyText && !(isStorableText(name) && isStorableText(value)))
      throw apiErrors.validation({ what: 'The form holds text that cannot be stored.' })
    fields[name] = value
  }
  return fields
}

function* pairsOf(bytes: Uint8Array): Generator<readonly [string, string]> {
  for (const part of decoded(bytes, (it) => utf8.decode(it)).split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    yield [fieldText(at < 0 ? part : part.slice(0, at)), fieldText(at < 0 ? '' : part.slice(at + 1))]
  }
}

function fieldText(encoded: string): string {
  return decoded(encoded, (it) => decodeURIComponent(it.replaceAll('+', ' ')))
}

function decoded<T>(from: T, decode: (from: T) => string): string {
  try {
    return decode(from)
  } catch (error) {
    throw apiErrors.validation({ what: 'The form is not valid percent-encoded UTF-8.' }).causedBy(error)
  }
}
