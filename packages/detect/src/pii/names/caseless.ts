/**
 * Names in alphabets without capitals (Arabic, Hebrew, the Indic scripts, Thai, Ethiopic, Georgian): gazetteer words
 * beside each other, or any words after a title, a label or an introduction.
 * Promises to look at 40 characters before and at most 64 ahead of a name's start. Tested in names.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { spend } from '../../text/view/budget.ts'
import { cost } from '../base/effort.ts'
import { firstOf, isAnyLetter, isHalf, isMark, isWhite } from '../base/letters.ts'
import { person, type Sink } from './cased.ts'
import { fold } from './fold.ts'
import { role, rolesOf } from './lexicon.ts'

const isLetterUnit = (code: number): boolean =>
  (code >= 0x5d0 && code <= 0x5ea) ||
  (code >= 0x620 && code <= 0x6d3 && code !== 0x640) ||
  code === 0x200c ||
  (code >= 0x900 && code <= 0xdff && code !== 0x964 && code !== 0x965) ||
  (code >= 0xe01 && code <= 0xe4e) ||
  (code >= 0x10d0 && code <= 0x10ff) ||
  (code >= 0x1200 && code <= 0x135f)
const letterUnits = Uint8Array.from({ length: 0x2010 }, (_, code) => Number(isLetterUnit(code)))
const isLetter = (code: number): boolean => code < 0x2010 && letterUnits[code] === 1
const isThai = (code: number): boolean => code >= 0xe01 && code <= 0xe4e

interface Word {
  readonly start: number
  readonly end: number
  readonly roles: number
  /** A particle or preposition that is no part of a name. */
  readonly isEnding: boolean
}

const longestWord = 24

// A zero-width joiner is part of a word and begins none.
const mayBegin = (code: number): boolean => code >= 0x5d0 && code < 0x1360 && isLetter(code)

const caseless = /[\u05d0-\u135f]/g

/** Names in caseless alphabets that begin at or after `from`. */
export function collectCaseless(text: string, { from, found, effort }: Sink): void {
  const words = new Words(text)
  let taken = 0
  for (let at = firstOf(caseless, text, Math.max(0, from - longestWord)); at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!mayBegin(code) || isLetter(text.charCodeAt(at - 1))) continue
    if (!spend(effort, cost.caseless)) return
    const finding = isThai(code) ? thaiAt(text, at) : at >= taken ? wordsAt(words, at) : undefined
    if (finding && finding.start >= from) {
      found.push(finding)
      taken = finding.end
    }
  }
}

/** More words than one name has: the next name asks for the same ones. */
const slots = 128

/** The words of a text by where they begin, each read once for the names that begin near it. */
class Words {
  readonly text: string
  readonly #words: (Word | undefined)[] = []

  constructor(text: string) {
    this.text = text
  }

  at(start: number): Word | undefined {
    const slot = start % slots
    const known = this.#words[slot]
    if (known?.start === start) return known
    const word = wordAt(this.text, start)
    if (word) this.#words[slot] = word
    return word
  }
}

function wordAt(text: string, start: number): Word | undefined {
  let end = start
  while (end < start + longestWord && (isLetter(text.charCodeAt(end)) || isInnerMark(text, end))) end += 1
  if (end - start < 2 || end - start === longestWord) return undefined
  const written = text.slice(start, end)
  return { start, end, roles: rolesOf(fold(written)), isEnding: endings.has(written) }
}

/** Geresh inside a Hebrew word. */
const isInnerMark = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  const next = text.charCodeAt(at + 1)
  return (code === 39 || code === 0x5f3) && next >= 0x5d0 && next <= 0x5ea
}

/** The word after `end`, one blank or an Arabic article hyphen away. */
const following = (words: Words, { end }: Word): Word | undefined => {
  const code = words.text.charCodeAt(end)
  return code === 32 || code === 45 ? words.at(end + 1) : undefined
}

const nameBits = role.given | role.family
const cues = new Set(
  'اسمي|إسمي|اسمه|اسمها|أنا|يدعى|تدعى|نام من|اسم من|من هستم|הוא|שמי|קוראים לי|השם שלי|שמו|שמה|मेरा नाम|का नाम|नाम|আমার নাম|নাম|என் பெயர்|నా పేరు|મારું નામ|ਮੇਰਾ ਨਾਮ|ስሜ|ჩემი სახელია|მქვია'.split(
    '|',
  ),
)
const cueLengths = [...new Set([...cues].map((cue) => cue.length))]
const cueEnds = new Set([...cues].map((cue) => cue.charCodeAt(cue.length - 1)))
const endings = new Set(
  'है|हूँ|हूं|हैं|और|से|को|का|की|के|ने|में|पर|তিনি|এবং|ও|র|אני|הוא|היא|את|של|גר|גרה|ומספר|מספר|والرقم|ورقم|وأنا|من|في|على|إلى|هو|هي|و|است|و|هستم|را|به'.split(
    '|',
  ),
)

/** Gazetteer words side by side, or one to three words after a cue. */
function wordsAt(words: Words, at: number): Finding | undefined {
  const { text } = words
  const first = words.at(at)
  if (!first) return undefined
  const known = (first.roles & nameBits) !== 0 && (first.roles & role.title) === 0
  if (first.isEnding || (!known && (first.roles & (role.stop | role.title | role.label)) !== 0)) return undefined
  const cue = cueBefore(text, Math.max(0, at - 40), at)
  if (!known && !cue) return undefined
  const taken = [first]
  for (let next = following(words, first); next && taken.length < 4; next = following(words, next)) {
    const isName = (next.roles & nameBits) !== 0
    if (next.isEnding || (!isName && (!cue || taken.length > 1))) break
    taken.push(next)
  }
  const score = caselessScore(taken, cue)
  return score >= 0.3 ? person(at, taken.at(-1)?.end ?? first.end, score, 'name-caseless') : undefined
}

/** Whether an introduction, a title or a label with its colon ends before a place. */
function cueBefore(text: string, floor: number, at: number): boolean {
  if (endsWithCue(text, floor, at)) return true
  const gap = isWhite(unitBefore(text, floor, at)) ? at - 1 : at
  const hasColon = unitBefore(text, floor, gap) === 58
  let end = hasColon ? gap - 1 : gap
  if (isWhite(unitBefore(text, floor, end))) end -= 1
  const mark = unitBefore(text, floor, end)
  if (mark === 46 || mark === 58 || mark === 47) end -= 1
  const word = cueWord(text, floor, end)
  const roles = rolesOf(fold(word))
  return (roles & role.title) !== 0 || ((roles & role.label) !== 0 && hasColon)
}

/** The unit before a place; 0 at the floor. */
const unitBefore = (text: string, floor: number, place: number): number =>
  place > floor ? text.charCodeAt(place - 1) : 0

/** An introduction, then a blank, a colon and another blank at most. */
function endsWithCue(text: string, floor: number, at: number): boolean {
  let end = at
  if (end > floor && isWhite(text.charCodeAt(end - 1))) end -= 1
  if (end > floor && isColon(text.charCodeAt(end - 1))) end -= 1
  if (end > floor && text.charCodeAt(end - 1) === 32) end -= 1
  if (!cueEnds.has(text.charCodeAt(end - 1))) return false
  return cueLengths.some((length) => end - length >= floor && cues.has(text.slice(end - length, end)))
}

const isColon = (code: number): boolean => code === 58 || code === 0xff1a
const longestCue = 16

/** The last word before a place, with Hebrew quotation marks as ASCII ones. */
function cueWord(text: string, floor: number, end: number): string {
  let start = end
  let hasQuote = false
  while (start > floor && end - start < longestCue && isCueUnit(text.charCodeAt(start - 1))) {
    start -= 1
    const code = text.charCodeAt(start)
    hasQuote ||= code === 0x5f3 || code === 0x5f4
  }
  const word = text.slice(start, end)
  return hasQuote ? word.replace(/\u05f3/g, "'").replace(/\u05f4/g, '"') : word
}

const isCueUnit = (code: number): boolean =>
  isAnyLetter(code) || isMark(code) || isHalf(code) || code === 39 || code === 34 || code === 0x5f3 || code === 0x5f4

function caselessScore(words: readonly Word[], cue: boolean): number {
  const names = words.filter(({ roles }) => (roles & nameBits) !== 0)
  const plain = names.filter(({ roles }) => (roles & role.ambiguous) === 0)
  if (cue) return names.length > 0 ? 0.93 : words.length > 1 ? 0.75 : 0.55
  if (names.length > 1) return plain.length > 1 ? 0.85 : plain.length === 1 ? 0.7 : 0.5
  return plain.length === 1 ? 0.4 : 0
}

const thaiTitle =
  /(?:^|[^ก-๎])(?:นาย|นางสาว|นาง|คุณ|ด\.ช\.|ด\.ญ\.|เด็กชาย|เด็กหญิง|ดร\.|ศ\.|น\.ส\.|ผม ?ชื่อ|ดิฉัน ?ชื่อ|ฉัน ?ชื่อ|ชื่อ|ชื่อ-นามสกุล|ลูกค้า|ผู้ป่วย|พนักงาน) ?[:：]?\s?$/
const thaiAttached =
  /^(?:นางสาว|นาย(?!ก|จ้าง|ทุน|หน้า|แพทย์)|นาง(?!แบบ|เอก|ฟ้า)|คุณ(?!ภาพ|สมบัติ|ค่า|ธรรม|ลักษณะ|ต้อง|จะ|สามารถ|ควร|มี|ได้|เป็น|อยู่|ไม่))/

/** Thai writes given and family name as two words; the title is joined to the first. */
function thaiAt(text: string, at: number): Finding | undefined {
  const run = thaiRun(text, at, 28)
  const title = thaiAttached.exec(run)?.[0] ?? ''
  const given = run.slice(title.length)
  const start = at + title.length
  if (given.length < 2 || given.length > 20) return undefined
  const listed = (rolesOf(fold(given)) & role.given) !== 0
  const cue = title !== '' || thaiTitle.test(text.slice(Math.max(0, at - 20), at))
  const givenEnd = start + given.length
  const family = text[givenEnd] === ' ' ? thaiRun(text, givenEnd + 1, 28) : ''
  const whole =
    family.length > 1 && family.length <= 24 && (cue || (rolesOf(fold(family)) & role.family) !== 0 || listed)
  const score = listed ? (cue ? 0.93 : whole ? 0.7 : 0.35) : cue && whole && title !== 'คุณ' ? 0.75 : 0
  return score > 0 ? person(start, whole ? givenEnd + 1 + family.length : givenEnd, score, 'name-th') : undefined
}

function thaiRun(text: string, at: number, limit: number): string {
  let end = at
  while (end < at + limit && isThai(text.charCodeAt(end))) end += 1
  return text.slice(at, end)
}
