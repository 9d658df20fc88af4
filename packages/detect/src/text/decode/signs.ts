/** Text in signs that stand for bytes or letters one by one: invisible variation selectors, and braille. */
import { looksLikeLanguage } from '../language/language.ts'
import { type Budget, spend } from '../view/budget.ts'
import { textOfBytes } from './bytes.ts'
import { type Candidate, wholeRun } from './candidate.ts'

/** A letter has one selector at most; so many in a row are bytes: the first 16, and 240 beyond the first plane. */
const selectors = /(?:[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]){8,}/g

/** Cells of six dots with blanks and line ends between them. */
const cells = /[\u2800-\u283f](?:[\u2800-\u283f\s]{0,65534}[\u2801-\u283f])/g
const minCells = 8

// Braille ASCII: the character of each cell by its dots, the lowest bit first.
const brailleAscii = ' A1B\'K2L@CIF/MSP"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)='

/** One candidate for each run. */
export function decodeSigns(text: string, budget: Budget): Candidate[] {
  return [
    ...runsOf(text, { pattern: selectors, name: 'variation-selectors', decode: selectedBytes }, budget),
    ...runsOf(text, { pattern: cells, name: 'braille', decode: letters }, budget),
  ]
}

interface Signs {
  readonly pattern: RegExp
  readonly name: string
  decode(run: string): string | undefined
}

function runsOf(text: string, { pattern, name, decode }: Signs, budget: Budget): Candidate[] {
  const found: Candidate[] = []
  for (const { 0: run, index: start } of text.matchAll(pattern)) {
    if (!spend(budget, 4 + (run.length >> 3))) break
    const decoded = decode(run)
    if (decoded !== undefined) found.push(wholeRun(name, decoded, { start, end: start + run.length }))
  }
  return found
}

function selectedBytes(run: string): string | undefined {
  const bytes = Array.from(run, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    return code < 0x10000 ? code - 0xfe00 : code - 0xe0100 + 16
  })
  return textOfBytes(Uint8Array.from(bytes))
}

/** Letters and figures of the cells; prefix signs before those are left out. */
function letters(run: string): string | undefined {
  if (run.replace(/\s/g, '').length < minCells) return undefined
  const text = Array.from(run, (cell) => {
    const code = cell.charCodeAt(0)
    const plain = code >= 0x2800 ? brailleAscii.charAt(code - 0x2800) : cell
    return /[A-Z\s]/.test(plain) ? plain.toLowerCase() : ''
  }).join('')
  return looksLikeLanguage(text) ? text : undefined
}
