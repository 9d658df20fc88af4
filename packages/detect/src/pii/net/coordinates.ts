/** Geographic coordinates: decimal pairs, degrees with hemispheres. Tested in find-pii.test.ts. */
import { isDigit } from '../../base/matcher.ts'
import { isWordUnit } from '../base/characters.ts'
import { distanceOf, nowhere, type Scan } from '../identifiers/scan.ts'

const decimalPair =
  /^[-+]?(\d{1,2})\.(\d{3,15})°?[ ]?([NS])?[,;][ ]{0,2}[-+]?(\d{1,3})\.(\d{3,15})°?[ ]?([EWO])?(?![\w.])/
const degrees =
  /^\d{1,2}°[ ]?(?:\d{1,2}(?:\.\d{1,6})?['′’][ ]?)?(?:\d{1,2}(?:\.\d{1,6})?(?:"|″|”|'')[ ]?)?[NS][, ]{0,3}\d{1,3}°[ ]?(?:\d{1,2}(?:\.\d{1,6})?['′’][ ]?)?(?:\d{1,2}(?:\.\d{1,6})?(?:"|″|”|'')[ ]?)?[EWO](?!\w)/
const single = /^[-+]?\d{1,3}\.\d{3,15}(?![\w.])/

/** Asked at words of one to three digits that a point or a degree sign follows. */
export function recognizeCoordinates({ text, context, found }: Scan, first: number): void {
  const start = /[-+]/.test(text[first - 1] ?? '') ? first - 1 : first
  if (isWordUnit(text.charCodeAt(start - 1)) || text[start - 1] === '.') return
  if (!mayBeCoordinates(text, first)) return
  const place = distanceOf('place', context.before(start))
  const { length, score } = readCoordinates(text.slice(start, start + 72), place)
  if (length > 0) {
    found.push({ detector: 'pii', type: 'COORDINATES', start, end: start + length, score, rule: 'coordinates' })
  }
}

/** Whether a degree sign or three decimals follow the digits; the exact tests follow. */
function mayBeCoordinates(text: string, first: number): boolean {
  let at = first
  while (at - first < 3 && isDigit(text.charCodeAt(at))) at += 1
  if (text.charCodeAt(at) === 0xb0) return true
  return text.charCodeAt(at) === 46 && [1, 2, 3].every((place) => isDigit(text.charCodeAt(at + place)))
}

/** Length, 0 for none, and score of the coordinates a text begins with. */
function readCoordinates(text: string, place: number): { length: number; score: number } {
  const inDegrees = degrees.exec(text)
  if (inDegrees) return { length: inDegrees[0].length, score: 0.95 }
  const pair = decimalPair.exec(text)
  if (pair && Number(pair[1]) <= 90 && Number(pair[4]) <= 180) {
    const isPrecise = (pair[2]?.length ?? 0) >= 4 && (pair[5]?.length ?? 0) >= 4
    return { length: pair[0].length, score: place < nowhere || pair[3] ? 0.95 : isPrecise ? 0.6 : 0.3 }
  }
  const alone = place <= 6 ? single.exec(text) : null
  return { length: alone && Math.abs(Number(alone[0])) <= 180 ? alone[0].length : 0, score: 0.8 }
}
