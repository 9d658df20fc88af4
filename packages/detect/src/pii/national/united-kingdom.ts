import type { Identifier } from '../base/identifier.ts'

/** UK national insurance number: prefixes that HMRC issues (NIM39110), six digits, suffix A to D. */
export const nationalInsurance: Identifier = {
  id: 'uk-nino',
  type: 'UK_NINO',
  country: 'GB',
  layouts: ['AA000000A', 'AA 00 00 00 A', 'AA 000000 A', 'AA-00-00-00-A', 'AA-000000-A', 'AA 000 000 A', 'AA00 00 00A'],
  valid: (id, printed) =>
    /^(?!BG|GB|NK|KN|TN|NT|ZZ)[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z]\d{6}[A-D]$/.test(id) &&
    !/[a-z]\d|\d[A-Z](?:(?!\d[A-Z]).)*[a-z]/.test(printed),
  context: ['nino*', 'ni number', 'ni no', 'national insurance*', 'n.i. number', 'ni', 'nat ins', 'nin'],
  chance: 0.85,
  unchecked: true,
}
