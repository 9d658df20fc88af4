/** International bank account numbers and the bank identifier codes beside them. Tested in find-pii.test.ts. */
import { isBlank, isDash, isSymbol, isWordUnit } from '../base/characters.ts'
import { mod97Holds } from '../base/check-digits.ts'
import { distanceOf, distanceOfOther, nowhere, type Scan } from '../identifiers/scan.ts'

// Country and length (SWIFT IBAN registry, release 99), then countries that use the format without being registered.
const registry =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 ' +
  'EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 ' +
  'IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 ' +
  'NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 ' +
  'SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
const unregistered =
  'AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 IR26 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 ' + 'TD27 TG28'

const lengthByCountry: ReadonlyMap<string, number> = new Map(
  `${registry} ${unregistered}`.split(' ').map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

// 34 characters in groups of four have eight separators; a printed number with more is not one.
const maxSeparators = 10

/** Asked at words that begin with two letters and two digits. */
export function recognizeIban({ text, context, found }: Scan, start: number): void {
  const from = text.startsWith('IBAN', start) ? start + 4 : start
  const length = lengthByCountry.get(text.slice(from, from + 2).toUpperCase())
  if (length === undefined) return
  const { compact, end, isGrouped } = read(text, from, length)
  if (compact.length !== length || isWordUnit(text.charCodeAt(end)) || !/^[A-Z]{2}\d\d[A-Z0-9]+$/.test(compact)) return
  if (isGrouped && !groupsHold(text.slice(from, end))) return
  if (mod97Holds(compact)) {
    const country = compact.slice(0, 2)
    found.push({ detector: 'pii', type: 'IBAN', start: from, end, score: 0.99, rule: 'iban', country })
    return
  }
  const before = context.before(start)
  const isNamed = distanceOf('iban', before) < 24 && distanceOf('iban', before) <= distanceOfOther(before)
  if (isNamed)
    found.push({ detector: 'pii', type: 'IBAN', start, end, score: 0.5, rule: 'iban', evidence: 'invalid checksum' })
}

function read(text: string, start: number, length: number): { compact: string; end: number; isGrouped: boolean } {
  let compact = ''
  let separators = 0
  let at = start
  for (; compact.length < length; at += 1) {
    const code = text.charCodeAt(at)
    if (isSymbol(code)) compact += text[at]
    else if ((isBlank(code) || isDash(code)) && separators < maxSeparators && isSymbol(text.charCodeAt(at - 1)))
      separators += 1
    else break
  }
  return { compact: compact.toUpperCase(), end: at, isGrouped: separators > 0 }
}

/** Printed groups are upper case, and letters alone make a group of at most four. */
const groupsHold = (printed: string): boolean =>
  printed.split(/[^A-Za-z0-9]/).every((group) => /^(?:[A-Z]{1,4}|[A-Z0-9]{0,32}\d[A-Z0-9]{0,32})$/.test(group))

/** ISO 9362 codes: bank, country, place, optional branch; only near a word that names one. */
export function recognizeBic({ text, context, found }: Scan, start: number, end: number): void {
  const code = text.slice(start, end)
  if (!/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(code) || !lengthOrKnown.has(code.slice(4, 6))) return
  if (distanceOf('bic', context.before(start), context.after(end)) >= nowhere) return
  const near = distanceOf('bic', context.before(start), context.after(end))
  const looksCoded = /\d|XXX$/.test(code)
  if (near > 40 || (!looksCoded && near > 16)) return
  found.push({ detector: 'pii', type: 'BIC', start, end, score: 0.9, rule: 'bic', country: code.slice(4, 6) })
}

const lengthOrKnown = new Set([
  ...lengthByCountry.keys(),
  ...['US', 'CA', 'AU', 'NZ', 'JP', 'CN', 'HK', 'SG', 'IN', 'KR', 'TW', 'TH', 'MY', 'ID', 'PH', 'VN', 'ZA', 'NG', 'KE'],
  ...['MX', 'AR', 'CL', 'CO', 'PE', 'UY', 'VE', 'EC', 'BD', 'LK', 'MO', 'BM', 'KY', 'JE', 'GG', 'IM', 'BS', 'PA'],
])
