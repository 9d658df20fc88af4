/**
 * Refuses documents before any XML parser sees them. Signature checks canonicalize, and canonical forms drop or keep
 * constructs that parsers read in two ways; no identity provider needs any of them. Guarantees that a document that
 * passes is UTF-8, small, and has no DOCTYPE, processing instruction, comment, CDATA section or entity of its own.
 * Tested in ../sign-in/pure.test.ts.
 */
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { refused } from '../refusals.ts'

/** Bytes of a response. */
export const maxXmlBytes = 262_144

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The document in a posted `SAMLResponse`. @throws API-005 over 256 KiB, SsoRefusal for every form that is not taken */
export function postedXml(encoded: string): string {
  const base64 = encoded.replaceAll(/[\r\n\t ]/g, '')
  if (base64.length > Math.ceil(maxXmlBytes / 3) * 4) throw apiErrors.tooLarge({ limit: maxXmlBytes })
  if (base64 === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0)
    throw refused('the response is not base64')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.byteLength > maxXmlBytes) throw apiErrors.tooLarge({ limit: maxXmlBytes })
  return plainXml(decoded(bytes))
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw refused('the document is not UTF-8', error)
  }
}

const declaration =
  /^<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"utf-8"|'utf-8'))?(?: standalone=(?:"(?:yes|no)"|'(?:yes|no)'))? ?\?>/i

const forbidden: readonly (readonly [form: RegExp, name: string])[] = [
  [/<!--/, 'a comment'],
  [/<!\[CDATA\[/i, 'a CDATA section'],
  [/<!/, 'a document type or entity declaration'],
  [/<\?/, 'a processing instruction'],
  [/&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});)/i, 'an entity of its own'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not be in XML 1.0
  [/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/, 'a control character'],
]

/** The text, if it holds nothing but elements, attributes and character data. @throws SsoRefusal */
export function plainXml(xml: string): string {
  const rest = xml.replace(declaration, '')
  for (const [form, name] of forbidden) if (form.test(rest)) throw refused(`the document holds ${name}`)
  return xml
}
