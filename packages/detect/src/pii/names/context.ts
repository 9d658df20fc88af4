/**
 * Evidence before and after a possible name, in log odds.
 * Promises to read at most 48 characters on each side. Tested through names.test.ts.
 */
import { isAlphanumeric } from '../../base/matcher.ts'
import { isAnyLetter, isHalf, isWhite } from '../base/letters.ts'
import { introductions, weakLabels } from './cues.ts'
import { fold } from './fold.ts'
import { isFollower, role, rolesOf } from './lexicon.ts'
import { isCasedLetter, isUpperCase, wordEnd } from './tokens.ts'

export interface Left {
  /** Evidence for a person, log odds. */
  readonly weight: number
  /** Strong enough for words that no gazetteer knows. */
  readonly strong: boolean
  readonly sentenceStart: boolean
  readonly lineStart?: boolean
}

const reach = 40
const neutral: Left = { weight: 0, strong: false, sentenceStart: false }
const sentence: Left = { ...neutral, sentenceStart: true }
const textStart: Left = { ...sentence, lineStart: true }
const farStart: Left = { ...sentence, lineStart: false }

/** Evidence before `start`. */
export function leftOf(text: string, start: number): Left {
  const floor = Math.max(0, start - reach)
  const end = contextEnd(text, floor, start)
  if (end === floor) return floor === 0 ? textStart : farStart
  const trimmed = text.slice(floor, end)
  if (hasLineBreak(text, end, start)) return signOff(trimmed)
  const last = trimmed.charAt(trimmed.length - 1)
  if (last === ':' || last === '=' || last === '：' || last === '|') return labelBefore(trimmed)
  if (last === '.') return afterFullStop(trimmed)
  if (last === '!' || last === '?' || last === '-' || last === '•' || last === '—') return sentence
  return last === ',' ? neutral : afterWords(trimmed)
}

const opening = new Set([...'"\'“„«([<*_`‘'].map((char) => char.charCodeAt(0)))
const mostOpening = 3

/** End of the context without blanks and up to three opening signs. */
function contextEnd(text: string, floor: number, start: number): number {
  let end = blanksStart(text, floor, start)
  const signs = end
  while (end > floor && signs - end < mostOpening && opening.has(text.charCodeAt(end - 1))) end -= 1
  return blanksStart(text, floor, end)
}

function blanksStart(text: string, floor: number, end: number): number {
  let start = end
  while (start > floor && isWhite(text.charCodeAt(start - 1))) start -= 1
  return start
}

function hasLineBreak(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 10) return true
  return false
}

const closings = new Set(
  'regards sincerely cheers thanks gruessen grussen grusse gruesse cordialement amicalement saludos saludo saluti groeten groet halsningar atentamente atenciosamente abracos yours faithfully best hilsen hilsner terveisin уважением pozdrawiam pozdravem udvozlettel tisztelettel saygilarimla stima wishes truly love pozdrowieniami salutations'.split(
    ' ',
  ),
)

const signedOff: Left = { weight: 2.6, strong: true, sentenceStart: true, lineStart: true }

/** A name on the line after "Best regards,". */
function signOff(previous: string): Left {
  const last = previous.charCodeAt(previous.length - 1)
  const isMarked = last === 44 || last === 46 || last === 33
  return closings.has(lastWord(isMarked ? previous.slice(0, -1) : previous)) ? signedOff : textStart
}

function afterFullStop(trimmed: string): Left {
  const word = lastWord(trimmed.slice(0, -1))
  if ((rolesOf(word) & role.title) !== 0 && word.length <= 5) return { weight: 3.2, strong: true, sentenceStart: false }
  if (/^(?:nr|no|st|vs|etc|eg|ie|approx|attn)$/.test(word))
    return word === 'attn' ? { ...neutral, weight: 2, strong: true } : neutral
  return sentence
}

const things =
  /(?:file|host|domain|package|product|project|company|brand|class|function|method|repo|model|event|city|street|school|team|bank|display|server|table|column|variable|field|key|tag|branch|image|cluster|node|app|module|plugin|business|organi[sz]ation|country|place|game|book|song|firm\w*|datei|produkt|typ|type|code|format|path)/
const people =
  /(?:full|first|last|sur|given|family|maiden|middle|customer|client|patient|employee|contact|holder|owner|person|recipient|beneficiary|sender|guest|passenger|student|cardholder|legal|nombre|nom|naam)/

/** `Name:`, `"full_name": "`, `Kundin:`. */
function labelBefore(trimmed: string): Left {
  const from = labelStart(trimmed)
  const written = /([\p{L}_'-]{1,30})(?:["'*\])]{0,3})\s?[:=：|]$/u.exec(trimmed.slice(from))
  if (!written) return sentence
  const label = fold(written[1] ?? '')
  const leading = fold(trimmed.slice(0, from + written.index).slice(-16))
  const parts = label.split(/[_-]/)
  if (/name|nombre|navn|namn|imie|nome$/.test(label)) {
    if (things.test(label) || things.test(lastWord(leading.trimEnd()))) return neutral
    return people.test(label + leading) ? strongLabel : { weight: 2, strong: true, sentenceStart: false }
  }
  if (parts.some((part) => (rolesOf(part) & role.label) !== 0)) return strongLabel
  if (weakLabels.includes(label)) return { weight: 1.2, strong: false, sentenceStart: false }
  return (rolesOf(label) & role.title) !== 0 ? strongLabel : sentence
}

const closesLabel = new Set([...'"\'*])'].map((char) => char.charCodeAt(0)))
const isLabelUnit = (code: number): boolean =>
  isAnyLetter(code) || isHalf(code) || code === 95 || code === 39 || code === 45

/** A place from which all before it is no part of the label at the end. */
function labelStart(trimmed: string): number {
  let at = trimmed.length - 1
  if (isWhite(trimmed.charCodeAt(at - 1))) at -= 1
  const closed = at
  while (closed - at < 3 && closesLabel.has(trimmed.charCodeAt(at - 1))) at -= 1
  while (at > 0 && isLabelUnit(trimmed.charCodeAt(at - 1))) at -= 1
  return at
}

const strongLabel: Left = { weight: 3, strong: true, sentenceStart: false }

const phrases = new Set(introductions)
const phraseEnds = new Set(introductions.map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1)))
const weakIntroductions = new Set(
  "called|named|this is|i am|i'm|soy|sono|sou|eu sou|je suis|ich bin|ik ben|olen|jestem|saya|heter|on behalf of|nomme|ako si|heisst|zovut|name is".split(
    '|',
  ),
)
const selfIntroductions = new Set("i am|i'm|je suis|ich bin|ik ben|soy|sono|eu sou|jestem|ako si".split('|'))
const salutations = new Set(
  'dear hi hello hey hola querido querida liebe lieber kjaere cher chere caro cara dragi draga kara beste geachte estimado estimada dorogaya уважаемый уважаемая дорогой дорогая привет'.split(
    ' ',
  ),
)
const receivers = new Set(
  'to from for by with attention contact tell ask call ring email met meet mit von bei fur an de para pour par per da van voor aan med fra till til от для с к and или y und et with cc behalf'.split(
    ' ',
  ),
)
const articles = new Set(
  'the a an this these every each our your its der die das ein eine el la los las le les il lo un una het een'.split(
    ' ',
  ),
)

function afterWords(trimmed: string): Left {
  const last = fold(trimmed.slice(wordStart(trimmed)))
  const words = phraseEnds.has(last) ? lastWords(trimmed) : noWords
  for (let from = 0; from < words.length; from += 1) {
    const phrase = words.slice(from).join(' ')
    if (!phrases.has(phrase)) continue
    if (selfIntroductions.has(phrase)) return { weight: 1.2, strong: true, sentenceStart: false }
    return weakIntroductions.has(phrase)
      ? { weight: 1.2, strong: false, sentenceStart: false }
      : { weight: 3.4, strong: true, sentenceStart: false }
  }
  if (salutations.has(last)) return { weight: 2.4, strong: true, sentenceStart: false }
  const roles = rolesOf(last)
  if (last.length > 1 && (roles & role.title) !== 0 && !articles.has(last) && !receivers.has(last)) {
    return { weight: 2.8, strong: true, sentenceStart: false }
  }
  if ((roles & (role.place | role.organization)) !== 0 && (roles & role.label) === 0) {
    return { weight: -2.5, strong: false, sentenceStart: false }
  }
  if (/^\d+[a-z]?$/.test(last)) return { weight: -1.6, strong: false, sentenceStart: false }
  if ((roles & role.label) !== 0) return { weight: 1.8, strong: true, sentenceStart: false }
  if ((roles & role.follower) !== 0) return { weight: 0.6, strong: false, sentenceStart: false }
  if (receivers.has(last)) return { weight: 0.4, strong: false, sentenceStart: false }
  return articles.has(last) ? { weight: -1.4, strong: false, sentenceStart: false } : neutral
}

const noWords: readonly string[] = []
const lastWords = (trimmed: string): readonly string[] =>
  fold(trimmed)
    .split(/[\s"“(]+/)
    .slice(-4)

function wordStart(trimmed: string): number {
  let start = trimmed.length
  while (start > 0 && !splitsWords(trimmed.charCodeAt(start - 1))) start -= 1
  return start
}

const splitsWords = (code: number): boolean => code === 34 || code === 40 || code === 0x201c || isWhite(code)

const edges = new Set([...'"“„([<{,;:'].map((char) => char.charCodeAt(0)))
const isEdge = (code: number): boolean => edges.has(code) || isWhite(code)

/** The folded last word of at most 24 characters, without the signs before it. */
function lastWord(text: string): string {
  const floor = Math.max(0, text.length - 24)
  let start = text.length
  while (start > floor && !isEdge(text.charCodeAt(start - 1))) start -= 1
  return fold(text.slice(start))
}

const honorificAfter =
  /^(?:[- ](?:san|sama|kun|chan|sensei|ssi|nim)\b| (?:bey|hanım|hanim|ji|bhai|beg|khanum|efendi)\b|さん|様|氏|씨|님)/
const personAfter =
  /^(?:,? (?:born|DOB|dob|geb\.|né|née|nacid|nato|nata|aged?|age) ?|,? \(?(?:age |aged )?\d{2}\)|, (?:who|CEO|CFO|CTO|MD|PhD|Esq|M\.D|Ph\.D|aged)\b)/

// First characters of all that is evidence after a name.
const startsEvidence = new Set([...' -,(<"\'’さ様氏씨님'].map((char) => char.charCodeAt(0)))

/** Whether the first characters after a name can be evidence; between two capitalized words stands a blank alone. */
function mayBeEvidence(text: string, end: number): boolean {
  const first = text.charCodeAt(end)
  if (first !== 32) return startsEvidence.has(first)
  const next = text.charCodeAt(end + 1)
  return next === 68 || !isUpperCase(next)
}

/** Evidence after `end`, reading no further than `limit`. */
export function rightOf(text: string, end: number, limit: number): number {
  if (!mayBeEvidence(text, end)) return 0
  const after = text.slice(end, Math.min(limit, end + reach))
  if (honorificAfter.test(after)) return 2
  if (personAfter.test(after)) return 1.4
  let weight = 0
  let at = 0
  if (/^['’]s?\b/.test(after)) weight += 0.3
  if (/^["']?,? ?[<(]/.test(after) && after.includes('@')) weight += 1.4
  if (after.startsWith(' ')) at = 1
  if (at === 1 && isCasedLetter(after.charCodeAt(1)) && !isUpperCase(after.charCodeAt(1))) {
    const stop = wordEnd(after, 1)
    if (stop < after.length && isFollower(fold(after.slice(1, stop)))) weight += 1
  }
  return weight
}

/** Whether an e-mail address near `end` is made of the name's words. */
export function confirmedByEmail(text: string, end: number, names: readonly { readonly key: string }[]): boolean {
  const after = text.slice(end, end + 48)
  const at = after.indexOf('@')
  if (at < 2) return false
  let from = at
  while (from > 0 && (isAlphanumeric(after.charCodeAt(from - 1)) || '._-+'.includes(after.charAt(from - 1)))) from -= 1
  const local = after.slice(from, at).toLowerCase()
  return names.some(({ key }) => key.length > 2 && local.includes(key.replace(/[^a-z]/g, '')))
}
