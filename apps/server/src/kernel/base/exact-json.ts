/**
 * JSON whose whole numbers keep every digit. `JSON.parse` has 53 bits for them: an id such as 1234567890123456789 would
 * come out as another one. Promises that numbers read and written here keep their digits; in between such a
 * number is a text between two noncharacters (U+FDD0, which Unicode reserves for use within a program), so that it
 * passes through copies, stores and text scanners. A caller who writes that very text has written the number. Numbers
 * with a fraction or an exponent are approximate by their nature and are left alone. Tested in exact-json.test.ts.
 */

const mark = '\uFDD0'

/** As `JSON.parse`. @throws SyntaxError */
export function parseExact(text: string): unknown {
  return JSON.parse(mayBeLong.test(text) ? withMarks(text) : text) as unknown
}

/** As `JSON.stringify` of a value that JSON has a form for. */
export function exactJson(value: unknown): string {
  return exactText(JSON.stringify(value))
}

/** JSON text with its marked numbers as numbers; a replacement of one, such as a placeholder, is a text. */
export function exactText(json: string): string {
  return json.includes(mark) ? json.replace(markedInJson, '$1').replace(replacedInJson, '"$1"') : json
}

/** The nearest number to a marked one, to compare with; any other text as it is. */
export function nearestNumber(text: string): number | string {
  const [, digits] = marked.exec(text) ?? []
  return digits === undefined ? text : Number(digits)
}

/** 2^53 has 16 digits. Most texts hold no such number, so most are looked at once, by this. */
const mayBeLong = /(?:^|[:,[\s])-?\d{16,}(?:[,\]}\s]|$)/
/** With a leading zero it is no JSON. */
const wholeNumber = /^-?[1-9]\d{15,}$/
const marked = /^\uFDD0(-?\d+)\uFDD0$/
const replacedInJson = /"\uFDD0([^"\\\uFDD0]*)\uFDD0"/g
const markedInJson = /"\uFDD0(-?[1-9]\d{15,})\uFDD0"/g

const quote = 0x22

function withMarks(text: string): string {
  const pieces: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
    } else if (beginsNumber(code)) {
      const end = endOfNumber(text, at)
      const written = text.slice(at, end)
      if (isLost(written)) {
        pieces.push(text.slice(from, at), `"${mark}${written}${mark}"`)
        from = end
      }
      at = end - 1
    }
  }
  return from === 0 ? text : pieces.join('') + text.slice(from)
}

/** Where its closing quote stands; broken JSON is left for `JSON.parse` to name. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === 0x5c) first -= 1
  return (at - first) % 2 === 1
}

const beginsNumber = (code: number): boolean => code === 0x2d || (code >= 0x30 && code <= 0x39)

const inNumber = /[-+.\deE]+/y

function endOfNumber(text: string, start: number): number {
  inNumber.lastIndex = start
  return inNumber.test(text) ? inNumber.lastIndex : start + 1
}

/** Some that 53 bits do hold are written with other digits all the same. */
const isLost = (written: string): boolean => wholeNumber.test(written) && String(Number(written)) !== written
