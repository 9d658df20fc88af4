/**
 * Names in alphabets without capitals (Arabic, Hebrew, the Indic scripts, Thai, Ethiopic, Georgian): gazetteer words
 * beside each other, or any words after a title, a label or an introduction.
 * Promises to look at 40 characters before and at most 64 ahead of a name's start. Tested in names.test.ts.
 */
import type { Finding } from '../../finding.ts'
import { nextMatch, person } from './cased.ts'
import { fold } from './fold.ts'
import { role, rolesOf } from './lexicon.ts'

const isLetter = (code: number): boolean =>
  (code >= 0x5d0 && code <= 0x5ea) ||
  (code >= 0x620 && code <= 0x6d3 && code !== 0x640) ||
  code === 0x200c ||
  (code >= 0x900 && code <= 0xdff && code !== 0x964 && code !== 0x965) ||
  (code >= 0xe01 && code <= 0xe4e) ||
  (code >= 0x10d0 && code <= 0x10ff) ||
  (code >= 0x1200 && code <= 0x135f)
const isThai = (code: number): boolean => code >= 0xe01 && code <= 0xe4e

interface Word {
  readonly start: number
  readonly end: number
  readonly roles: number
}

const longestWord = 24
const caseless = /[\u05d0-\u05ea\u0620-\u06d3\u0900-\u0e4e\u10d0-\u10ff\u1200-\u135f]/g

/** Names in caseless alphabets that begin at or after `from`. */
export function collectCaseless(text: string, from: number, found: Finding[]): void {
  let taken = 0
  let at = nextMatch(caseless, text, Math.max(0, from - longestWord))
  for (; at >= 0; at = nextMatch(caseless, text, at + 1)) {
    const code = text.charCodeAt(at)
    if (!isLetter(code) || isLetter(text.charCodeAt(at - 1))) continue
    const finding = isThai(code) ? thaiAt(text, at) : at >= taken ? wordsAt(text, at) : undefined
    if (finding && finding.start >= from) {
      found.push(finding)
      taken = finding.end
    }
  }
}

function wordAt(text: string, start: number): Word | undefined {
  let end = start
  while (end < start + longestWord && (isLetter(text.charCodeAt(end)) || isInnerMark(text, end))) end += 1
  if (end - start < 2 || end - start === longestWord) return undefined
  const word = text.slice(start, end)
  return { start, end, roles: rolesOf(fold(word)) }
}

/** Geresh inside a Hebrew word. */
const isInnerMark = (text: string, at: number): boolean => {
  const next = text.charCodeAt(at + 1)
  return (text[at] === "'" || text[at] === '׳') && next >= 0x5d0 && next <= 0x5ea
}

/** The word after `end`, one blank or an Arabic article hyphen away. */
const following = (text: string, { end }: Word): Word | undefined =>
  text[end] === ' ' || text[end] === '-' ? wordAt(text, end + 1) : undefined

const nameBits = role.given | role.family
const cues =
  /(?:اسمي|إسمي|اسمه|اسمها|أنا|يدعى|تدعى|نام من|اسم من|من هستم|הוא|שמי|קוראים לי|השם שלי|שמו|שמה|मेरा नाम|का नाम|नाम|আমার নাম|নাম|என் பெயர்|నా పేరు|મારું નામ|ਮੇਰਾ ਨਾਮ|ስሜ|ჩემი სახელია|მქვია) ?[:：]?\s?$/
const endings =
  /^(?:है|हूँ|हूं|हैं|और|से|को|का|की|के|ने|में|पर|তিনি|এবং|ও|র|אני|הוא|היא|את|של|גר|גרה|ומספר|מספר|والرقم|ورقم|وأنا|من|في|على|إلى|هو|هي|و|است|و|هستم|را|به)$/

/** Gazetteer words side by side, or one to three words after a cue. */
function wordsAt(text: string, at: number): Finding | undefined {
  const first = wordAt(text, at)
  if (!first) return undefined
  const left = text.slice(Math.max(0, at - 40), at)
  const cue = cueBefore(left)
  const known = (first.roles & nameBits) !== 0 && (first.roles & role.title) === 0
  if ((!known && !cue) || endings.test(text.slice(first.start, first.end))) return undefined
  if (!known && (first.roles & (role.stop | role.title | role.label)) !== 0) return undefined
  const words = [first]
  for (let next = following(text, first); next && words.length < 4; next = following(text, next)) {
    const isName = (next.roles & nameBits) !== 0
    if (endings.test(text.slice(next.start, next.end)) || (!isName && (!cue || words.length > 1))) break
    words.push(next)
  }
  const score = caselessScore(words, cue)
  return score >= 0.3 ? person(at, words.at(-1)?.end ?? first.end, score, 'name-caseless') : undefined
}

function cueBefore(left: string): boolean {
  if (cues.test(left)) return true
  const word = /([\p{L}\p{M}'"\u05f3\u05f4]{1,16})[.:/]?\s?[:]?\s?$/u.exec(left)?.[1] ?? ''
  const roles = rolesOf(fold(word.replace(/[\u05f3]/g, "'").replace(/[\u05f4]/g, '"')))
  return (roles & role.title) !== 0 || ((roles & role.label) !== 0 && /[:]\s?$/.test(left))
}

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
