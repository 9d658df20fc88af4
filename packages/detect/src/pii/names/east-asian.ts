/**
 * Chinese, Japanese and Korean names in their own scripts: family-name list, length, given-name characters and cues.
 * Promises to look at 24 characters before and 12 after; a name inside running text without any cue or boundary is
 * missed. Tested in names.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { spend } from '../../text/view/budget.ts'
import { cost } from '../base/effort.ts'
import { firstOf } from '../base/letters.ts'
import { person, type Sink } from './cased.ts'
import { japaneseFamily, japaneseGiven, koreanFamily, koreanGiven, koreanLongFamily } from './japanese-korean.ts'
import { hanFamily, hanGiven } from './scripts.ts'

const [longHan = '', shortHan = ''] = hanFamily.split('\n')
const hanDouble = new Set(longHan.split(' '))
const hanSingle = new Set(shortHan)
const hanGivenSet = new Set(hanGiven)
const wordSet = (list: string): Set<string> => new Set(list.split(/\s+/).filter((word) => word !== ''))
const jaFamily = wordSet(japaneseFamily)
const jaGiven = wordSet(japaneseGiven)
const koSingle = new Set(koreanFamily)
const koDouble = wordSet(koreanLongFamily)
const koGiven = wordSet(koreanGiven)
const koGivenFirst = new Set([...koGiven].map((given) => given.charAt(0)))
const koGivenLast = new Set([...koGiven].map((given) => given.charAt(given.length - 1)))

const isHan = (code: number): boolean => (code >= 0x4e00 && code <= 0x9fff) || code === 0x3005
const isHangul = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3

const eastAsian = /[\u3005-\uffff]/g

/** Names written in Han, kana or hangul that begin at or after `from`. */
export function collectEastAsian(text: string, { from, found, effort }: Sink): void {
  for (let at = firstOf(eastAsian, text, from); at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x3005) continue
    const begins = beginnings[code] ?? 0
    if (begins === 0) continue
    if (!spend(effort, cost.eastAsianName)) return
    const finding =
      begins === begin.korean ? koreanAt(text, at) : begins === begin.kana ? kanaAt(text, at) : hanAt(text, at, begins)
    if (finding) found.push(finding)
  }
}

/** Kinds of names that may begin with a unit, as bits. */
const begin = { japanese: 1, chinese: 2, korean: 4, kana: 8 } as const
const beginnings = new Uint8Array(0x10000)
const mark = (names: Iterable<string>, bit: number): void => {
  for (const name of names) beginnings[name.charCodeAt(0)] = (beginnings[name.charCodeAt(0)] ?? 0) | bit
}
mark(jaFamily, begin.japanese)
mark([...hanSingle, ...hanDouble], begin.chinese)
mark([...koSingle, ...koDouble], begin.korean)
// Families in kana are none of the Japanese list's; a kana begins a foreign name.
for (let code = 0x3041; code <= 0x30ff; code += 1) beginnings[code] = begin.kana

function hanAt(text: string, at: number, begins: number): Finding | undefined {
  const japanese = (begins & begin.japanese) !== 0 ? japaneseAt(text, at) : undefined
  return japanese ?? ((begins & begin.chinese) !== 0 ? chineseAt(text, at) : undefined)
}

const leftBefore = (text: string, at: number): string => text.slice(Math.max(0, at - 24), at)

const jaLabel =
  /(?:私は|名前は|氏名は|名は|氏名|名前|お名前|担当者?|患者|顧客|受取人|宛先|差出人|代表者?|社員|契約者|お客様|申請者|会員|署名)[はがの:：は]?\s?[「『]?$/
const jaHonorific =
  /^ ?(?:さん|様|さま|氏|くん|君|ちゃん|先生|殿|部長|課長|社長|教授|と申します|です。|です、|と言います|といいます)/
const jaBoundaryBefore = /(?:^|[\s、。「『（(・:：はがにとのをへも,"'>\]])$/
const jaBoundaryAfter = /^(?:$|[\s、。」』）)・,"'<はがのをにとへでも様さ])/

/** Family name of the list, then a given name of the list or, with a cue, any one to three kanji. */
function japaneseAt(text: string, at: number): Finding | undefined {
  for (const size of [3, 2, 1]) {
    if (!jaFamily.has(text.slice(at, at + size))) continue
    const next = text.charCodeAt(at + size)
    const gap = next === 32 || next === 0x3000 ? 1 : 0
    const given = japaneseGivenAt(text, at + size + gap)
    if (given > 0) {
      const cue = isLabeled(text, at)
      const end = at + size + gap + given
      const listed = jaGiven.has(text.slice(end - given, end))
      const polite = jaHonorific.test(text.slice(end, end + 8))
      const free = jaBoundaryBefore.test(text.charAt(at - 1)) && jaBoundaryAfter.test(text.slice(end, end + 1))
      const score = listed
        ? cue || polite
          ? 0.96
          : free
            ? 0.85
            : size > 1
              ? 0.6
              : 0
        : cue || polite
          ? 0.8
          : gap === 1 && free && size > 1
            ? 0.6
            : 0
      if (score > 0) return person(at, end, score, 'name-ja')
    }
    if (
      /^(?:さん|様|氏|くん|君|ちゃん|先生|殿)/.test(text.slice(at + size, at + size + 3)) &&
      jaBoundaryBefore.test(text.charAt(at - 1))
    ) {
      return person(at, at + size, size > 1 ? 0.85 : 0.6, 'name-ja')
    }
  }
  return undefined
}

// Last characters of the labels: a cheap look before the long pattern.
const jaLabelEnds = /[は人先前名員客当様者表がの:：\s「『]$/
const isLabeled = (text: string, at: number): boolean =>
  jaLabelEnds.test(text.charAt(at - 1)) && jaLabel.test(leftBefore(text, at))

/** Length of a given name at `at`: the longest listed one, else the one to three kanji or kana until a boundary. */
function japaneseGivenAt(text: string, at: number): number {
  for (const size of [4, 3, 2, 1]) {
    const listed = at + size <= text.length && jaGiven.has(text.slice(at, at + size))
    if (listed && (size > 1 || !isHan(text.charCodeAt(at + 1)))) return size
  }
  let end = at
  while (end < at + 3 && isHan(text.charCodeAt(end))) end += 1
  const more = isHan(text.charCodeAt(end))
  return more || /^[様氏君殿]$/.test(text.slice(end - 1, end)) ? Math.max(0, more ? 0 : end - at - 1) : end - at
}

const katakana = /[\u30a1-\u30faー]/
/** Foreign names in katakana: two words around a middle dot, before an honorific or after a label. */
function kanaAt(text: string, at: number): Finding | undefined {
  if (!katakana.test(text.charAt(at)) || katakana.test(text.charAt(at - 1)) || text[at - 1] === '・') return undefined
  const written = /^[ァ-ヺー]{2,10}(?:[・＝= ][ァ-ヺー]{2,10}){0,2}/.exec(text.slice(at, at + 34))?.[0]
  if (!written) return undefined
  const end = at + written.length
  const dotted = /[・＝]/.test(written)
  const polite = /^ ?(?:さん|様|氏|くん|君|ちゃん|先生|と申します)/.test(text.slice(end, end + 7))
  const cue = isLabeled(text, at)
  const score = dotted ? (polite || cue ? 0.9 : 0.35) : polite || cue ? 0.6 : 0
  return score > 0 ? person(at, end, score, 'name-ja') : undefined
}

const zhLabel =
  /(?:我叫|我是|名叫|名字(?:是|叫)?|姓名|叫做|联系人|聯絡人|客户|客戶|患者|病人|收件人|寄件人|收款人|付款人|持卡人|申请人|申請人|员工|員工|学生|學生|老师|同事|法人|签名|簽名|负责人|負責人|经办人|本人|朋友|先生|女士|作者|户名|戶名|开户人|投保人|被保险人)(?:[是为為叫:：]|\s){0,3}[“「]?$/
// Last characters of the labels: a cheap look before the long pattern.
const labelEnds = /[是为為叫:：\s“「字名做人户戶者病工生师師事法签簽本友士开]$/
const zhHonorific = /^(?:先生|女士|小姐|太太|同学|同學|老师|老師|医生|醫生|教授|经理|經理|博士|律师|律師|总|主任|同志)/
const zhBefore =
  /(?:^|[\s，。、；：！？“「（(,.:;"'>\]]|给|給|由|与|與|和|向|对|對|请|請|找|让|讓|跟|为|為|被|把|致|据|據)$/
const zhAfter = /^(?:$|[\s，。、；：！？”」）),.:;"'<的说說在是和与與于於將将已把被也等曾先女小老因想要])/

function chineseAt(text: string, at: number): Finding | undefined {
  const family = hanDouble.has(text.slice(at, at + 2)) ? 2 : hanSingle.has(text.charAt(at)) ? 1 : 0
  if (family === 0) return undefined
  const before = text.charAt(at - 1)
  const cue = labelEnds.test(before) && zhLabel.test(leftBefore(text, at))
  if (!cue && !zhBefore.test(before)) return undefined
  for (const size of [2, 1]) {
    const end = at + family + size
    if (!isHan(text.charCodeAt(end - 1)) || (size === 2 && !isHan(text.charCodeAt(end - 2)))) continue
    const score = chineseScore(text, { at: at + family, end, cue, family })
    if (score > 0) return person(at, end, score, 'name-zh')
  }
  return cueless(text, at, family)
}

/** `王先生`: family name and title only. */
function cueless(text: string, at: number, family: number): Finding | undefined {
  return zhHonorific.test(text.slice(at + family, at + family + 2))
    ? person(at, at + family, 0.6, 'name-zh')
    : undefined
}

interface Given {
  readonly at: number
  readonly end: number
  readonly cue: boolean
  readonly family: number
}

function chineseScore(text: string, { at, end, cue, family }: Given): number {
  const given = text.slice(at, end)
  const after = text.slice(end, end + 3)
  const polite = zhHonorific.test(after)
  const free = zhAfter.test(after)
  const usual = [...given].every((char) => hanGivenSet.has(char))
  if (zhHonorific.test(given)) return 0
  if (cue) return free || polite ? (usual ? 0.95 : 0.8) : 0
  if (polite && usual) return 0.9
  if (!free || !usual) return 0
  if (given.length === 2 || family === 2) return 0.6
  // Two characters are often an ordinary word: only between a verb of giving and the end of the clause.
  return /[给給找跟让讓]/.test(text.charAt(at - family - 1)) && /^(?:$|[\s，。、；！？,.;!?])/.test(after) ? 0.5 : 0
}

const koLabel =
  /(?:이름은|이름이|성명은|이름|성명|저는|나는|제가|고객명?|환자명?|담당자|수령인|수취인|보낸 ?사람|받는 ?사람|예금주|신청인|계약자|직원|회원|작성자|대표|학생|보호자|서명)[은는이가:：]? ?["'“]?$/
const koAfter =
  /^(?:$|[\s,.:;!?)"'”<(]|씨|님|군|양|은|는|이고|이며|이라고|입니다|이에요|예요|이가|가|을|를|의|에게|께서?|와|과|도|한테|이다|라고|이랑|랑|으로|로|선생|교수|대표|과장|부장|대리|사장|박사)/
const koHonorific = /^ ?(?:씨|님|군|양|선생님|교수|대표|과장|부장|대리|사장|박사|팀장|이사|의원|대통령|기자)/

function koreanAt(text: string, at: number): Finding | undefined {
  if (isHangul(text.charCodeAt(at - 1))) return undefined
  const family = koDouble.has(text.slice(at, at + 2)) ? 2 : koSingle.has(text.charAt(at)) ? 1 : 0
  if (family === 0) return undefined
  const gap = family === 2 && text[at + family] === ' ' ? 1 : 0
  const begin = at + family + gap
  const end = begin + 2
  if (!isHangul(text.charCodeAt(begin)) || !isHangul(text.charCodeAt(begin + 1))) return undefined
  const after = text.slice(end, end + 8)
  if (!koAfter.test(after)) return undefined
  const given = text.slice(begin, end)
  const cue = koLabel.test(text.slice(Math.max(0, at - 16), at)) || koHonorific.test(after)
  if (koGiven.has(given)) return person(at, end, cue ? 0.96 : 0.85, 'name-ko')
  const usual = koGivenFirst.has(given.charAt(0)) && koGivenLast.has(given.charAt(1))
  return cue ? person(at, end, usual ? 0.85 : 0.55, 'name-ko') : undefined
}
