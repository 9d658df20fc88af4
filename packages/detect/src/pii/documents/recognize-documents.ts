/**
 * Numbers without check digits that only the words before them explain: passports, driving licenses, medical records,
 * insurance, plates, tax numbers; vehicle identification numbers by check digit. Tested in find-pii.test.ts.
 */
import { digitValue, isBlank, isDash, isSymbol, isWordUnit } from '../base/characters.ts'
import { mayBegin } from '../identifiers/recognize-identifiers.ts'
import { distanceOf, distanceOfOther, nearestOf, nowhere, type Recognizer, type Scan } from '../identifiers/scan.ts'
import { isVinShape, vinHolds } from '../numbers/devices.ts'

interface Kind {
  readonly topic: string
  readonly type: string
  /** The unbroken value. */
  readonly shape: RegExp
  readonly reach: number
  /** Most groups a value is printed in. */
  readonly groups: number
}

const kinds: readonly Kind[] = [
  { topic: 'passport', type: 'PASSPORT', shape: /^(?=.*\d)[A-Z0-9]{6,12}$/, reach: 30, groups: 2 },
  { topic: 'license', type: 'DRIVING_LICENSE', shape: /^(?=.*\d.*\d.*\d)[A-Z0-9]{5,20}$/, reach: 30, groups: 5 },
  { topic: 'record', type: 'MEDICAL_RECORD', shape: /^(?=.*\d.*\d.*\d)[A-Z0-9]{4,16}$/, reach: 30, groups: 3 },
  { topic: 'insurance', type: 'HEALTH_INSURANCE', shape: /^(?=.*\d.*\d.*\d)[A-Z0-9]{6,16}$/, reach: 30, groups: 4 },
  { topic: 'plate', type: 'LICENSE_PLATE', shape: /^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{4,9}$/, reach: 30, groups: 3 },
  { topic: 'taxnumber', type: 'TAX_ID', shape: /^(?=.*\d.*\d.*\d.*\d.*\d)[A-Z0-9]{8,14}$/, reach: 20, groups: 4 },
]

const topics = kinds.map(({ topic }) => topic)

/** Asked at words that hold a digit, and at short words in capitals before one. */
export const recognizeDocument: Recognizer = (scan, start) => {
  const { text, context, found } = scan
  const before = context.before(start)
  if (before.size === 0) return
  const named = nearestOf(topics, before)
  if (named >= nowhere || named > distanceOfOther(before) || !mayBegin(text, start)) return
  const kind = kinds.find(({ topic }) => before.get(topic) === named)
  if (!kind || named > kind.reach) return
  const end = valueEnd(text, start, kind)
  if (end > 0) {
    found.push({ detector: 'pii', type: kind.type, start, end, score: 0.75, rule: `${kind.topic}-number` })
  }
}

/** End of the longest run of groups that has the shape; letters in lower case end it. 0 when none has. */
function valueEnd(text: string, start: number, { shape, groups }: Kind): number {
  let compact = ''
  let best = 0
  let at = start
  for (let group = 0; group < groups; group += 1) {
    const begin = at
    while (at - begin < 21 && isSymbol(text.charCodeAt(at))) at += 1
    const piece = text.slice(begin, at)
    if (piece === '' || piece.length > 20 || isWordUnit(text.charCodeAt(at))) return best
    if (group > 0 && !/\d/.test(piece) && !/^[A-Z]{1,3}$/.test(piece)) return best
    if (/[a-z][^A-Za-z\n\r\u2028\u2029]*[A-Z]|[a-z]{3}|^[a-z]+$/.test(piece)) return best
    compact += piece.toUpperCase()
    if (shape.test(compact)) best = at
    const code = text.charCodeAt(at)
    if (!isDash(code) && !isBlank(code) && code !== 46 && code !== 183 && code !== 47) return best
    at += 1
  }
  return best
}

/** A word of seventeen letters and digits. */
export function recognizeVehicle({ text, context, found }: Scan, start: number, end: number): void {
  if (end - start !== 17) return
  const vin = text.slice(start, end).toUpperCase()
  if (!isVinShape(vin)) return
  const named = distanceOf('vin', context.before(start), context.after(end)) < nowhere
  const isValid = vinHolds(vin)
  if (!named && (!isValid || text.slice(start, end) !== vin)) return
  const score = isValid ? (named ? 0.99 : 0.85) : 0.7
  found.push({ detector: 'pii', type: 'VIN', start, end, score, rule: 'vin' })
}

/** The second line of a passport's machine-readable zone (ICAO 9303-4): four check digits of weights 7 3 1. */
export function recognizeMachineReadable({ text, found }: Scan, start: number): void {
  if (!(text.charCodeAt(start + 9) <= 57)) return
  const line = text.slice(start, start + 44)
  if (!/^[A-Z0-9<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z0-9<]{14}[\d<]\d$/.test(line)) return
  const fields: readonly (readonly [from: number, to: number])[] = [
    [0, 9],
    [13, 19],
    [21, 27],
  ]
  if (!fields.every(([from, to]) => checkDigit(line.slice(from, to)) === Number(line[to]))) return
  const end = start + line.slice(0, 9).replace(/(?<!<)<+$/, '').length
  found.push({ detector: 'pii', type: 'PASSPORT', start, end, score: 0.99, rule: 'passport-mrz' })
}

function checkDigit(field: string): number {
  let sum = 0
  for (let i = 0; i < field.length; i += 1) {
    const code = field.charCodeAt(i)
    const value = code === 60 ? 0 : digitValue(code) >= 0 ? digitValue(code) : code - 55
    sum += value * ([7, 3, 1][i % 3] ?? 0)
  }
  return sum % 10
}
