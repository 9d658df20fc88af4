import { looksLikeLanguage } from '../language/language.ts'
import { type Budget, spend } from '../view/budget.ts'
import { type Candidate, wholeRun } from './candidate.ts'
import type { Region } from './tokens.ts'

// ITU-R M.1677-1, letters and figures in order, then the usual punctuation.
const letters =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'
const figures = '----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----.'
const signs: readonly (readonly [string, string])[] = [
  ['.-.-.-', '.'],
  ['--..--', ','],
  ['..--..', '?'],
  ['-.-.--', '!'],
  ['-..-.', '/'],
  ['---...', ':'],
  ['.----.', "'"],
  ['.-..-.', '"'],
  ['-....-', '-'],
  ['-.--.', '('],
  ['-.--.-', ')'],
  ['-...-', '='],
  ['.-.-.', '+'],
  ['.--.-.', '@'],
  ['-.-.-.', ';'],
  ['..--.-', '_'],
  ['...-..-', '$'],
]
const alphabet: ReadonlyMap<string, string> = new Map([
  ...letters.split(' ').map((code, index): [string, string] => [code, String.fromCharCode(97 + index)]),
  ...figures.split(' ').map((code, index): [string, string] => [code, String(index)]),
  ...signs,
])

/** Morse code with any dot and dash characters, letters apart by a blank, words by a slash, bar or wider blank. */
export function decodeMorse(text: string, regions: readonly Region[], budget: Budget): Candidate[] {
  return regions.flatMap((region) => {
    if (!spend(budget, (region.end - region.start) >> 2)) return []
    const decoded = morseText(text.slice(region.start, region.end))
    return decoded !== undefined && looksLikeLanguage(decoded) ? [wholeRun('morse', decoded, region)] : []
  })
}

const minShare = 0.9

/** Two blanks may be layout, three and every slash, bar or line end part words; a sign without a code stands for itself. */
function between(token: string): string {
  const signs = token.trim()
  if (signs === '') return token.length > 2 || token.includes('\n') ? ' ' : ''
  return signs
    .split(/\s+/)
    .map((sign) => (/[/|]/.test(sign) ? ' ' : sign.length === 1 ? sign : ''))
    .join('')
}

function morseText(source: string): string | undefined {
  const plain = source.replace(/[·•*∙⋅]/g, '.').replace(/[−–—_]/g, '-')
  let known = 0
  let all = 0
  let text = ''
  for (const token of plain.match(/[.-]+|[^.-]+/g) ?? []) {
    if (!/[.-]/.test(token)) {
      text += between(token)
      continue
    }
    const letter = alphabet.get(token)
    all += 1
    if (letter !== undefined) known += 1
    text += letter ?? ''
  }
  return known >= 6 && known >= all * minShare ? text : undefined
}
