import type { Finding } from '../finding.ts'
import { isDigit, isWord, lookBehind, type Matcher } from '../matcher.ts'
import { type DigitRun, digitGroups, firstGroups, isSeparator, nextGroup } from './digits.ts'

/** Telephone numbers: international with `+`, North American in its printed forms, others after a word that says so. */
export const phone: Matcher = {
  types: ['PHONE'],
  collect: (text, from, found) => {
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      const finding =
        code === 43 ? international(text, at) : isDigit(code) && startsNumber(text, at) ? national(text, at) : undefined
      if (finding) found.push(finding)
    }
  },
}

// ITU-T E.164: at most 15 digits; fewer than 8 are short codes or sums ("+1 000 000").
function international(text: string, at: number): Finding | undefined {
  if (at > 0 && (isWord(text.charCodeAt(at - 1)) || text[at - 1] === '+')) return undefined
  const first = text[at + 1] === '(' ? at + 2 : at + 1
  const run = wholeRun(text, first, 15)
  if (!run || run.digits.length < 8 || run.digits.startsWith('0')) return undefined
  // A sum of thousands has groups of three only.
  const sum = run.groups.length > 1 && run.groups.slice(1).every((group) => group === 3) && run.digits.length < 10
  return sum ? undefined : { detector: 'pii', type: 'PHONE', start: at, end: run.end, score: 0.95 }
}

function national(text: string, at: number): Finding | undefined {
  const run = wholeRun(text, at, 15)
  if (!run || run.digits.length < 7) return undefined
  const start = text[at - 1] === '(' ? at - 1 : at
  const printed = text.slice(start, run.end)
  const named = saysPhone(text, start)
  const score = northAmerican.test(printed) ? (named ? 0.95 : 0.7) : named && isPlausible(printed, run) ? 0.85 : 0
  return score > 0 ? { detector: 'pii', type: 'PHONE', start, end: run.end, score } : undefined
}

/** The number up to its last group, or undefined when it goes on beyond `maxDigits` or into a word. */
function wholeRun(text: string, from: number, maxDigits: number): DigitRun | undefined {
  const found = digitGroups(text, from, { maxDigits, wide: true })
  const run = firstGroups(found, found.groups.length)
  if (!run || isWord(text.charCodeAt(run.end)) || nextGroup(text, run.end, true) >= 0) return undefined
  return run
}

/** Only the first group of a number starts it: later groups of a rejected number must not become numbers of their own. */
function startsNumber(text: string, at: number): boolean {
  let before = at - 1
  for (let steps = 0; steps < 3 && isSeparator(text.charCodeAt(before), true); steps += 1) before -= 1
  if (before < 0) return true
  const code = text.charCodeAt(before)
  if (before === at - 1) return !isWord(code) && code !== 43
  return !isDigit(code) && code !== 43
}

const northAmerican = /^(?:1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}$/
const dateLike = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})/
const dotted = /^\d{1,3}(?:\.\d{1,3}){3}$/

const isPlausible = (printed: string, { digits }: DigitRun): boolean =>
  digits.length <= 13 && !dateLike.test(printed) && !dotted.test(printed)

const contextWord =
  /(?:^|[^a-z])(?:tel|phones?|call(?: me| us)?|mobile|cell|cellphone|fax|hotline|whatsapp|signal|sms|text me|contact|dial|reach (?:me|us)|telefon\w*|handy\w*|mobil\w*|ruf\w*|anrufen|durchwahl|telephone|portable|appele[rz]?|telefono|celular|movil|llama\w*|telefone|telemovel|ligar|cellulare|chiama\w*|telefoon|bel|puhelin|puhelinnumero|komorka|zadzwon)\W{0,3}(?:(?:no|nr|num|number|nummer|numero|is|ist|est|es|at|on|unter|au|al|me|us|le|my|the|home|work|office|under|a|em)\W{1,3}){0,3}$|(?:電話(?:番号)?|携帯|电话|手机|手機|電話號碼|전화(?:번호)?|휴대폰|тел(?:ефон\w*)?|моб\w*|звон\w*|هاتف|फोन|โทร)[^0-9]{0,12}$/i

/** Whether the words directly before the number say that it is one to call. Accents are ignored. */
function saysPhone(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - Math.min(lookBehind, 48)), start)
  return contextWord.test(before.normalize('NFD').replace(/[\u0300-\u036f]/g, ''))
}
