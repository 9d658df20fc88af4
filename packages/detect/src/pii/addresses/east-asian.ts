/**
 * Japanese, Chinese and Korean addresses, found from their house number.
 * Promises to read at most 48 characters before the number and 24 after it. Tested in addresses.test.ts.
 */
import type { Finding } from '../../base/finding.ts'

const japanese =
  /(?:〒 ?\d{3}[-－]\d{4} ?)?(?:(?:東京都|北海道|(?:大阪|京都)府|[\u4e00-\u9fff]{2,3}県)[\u3041-\u30ff\u4e00-\u9fff々ヶケ]{1,8}?|[\u3041-\u30ff\u4e00-\u9fff々ヶケ]{1,6})(?:市|区|町|村|郡)[\u3041-\u30ff\u4e00-\u9fff々ヶケー]{0,16} ?$/u
const japaneseTail =
  /^[\d０-９]{1,4}(?:丁目|番地?|号|[-－ー‐]){0,2}(?:[\d０-９]{1,4}(?:番地?|号|[-－ー‐]){0,2}){0,3}(?:の[\d０-９]{1,3})?(?: ?[\u30a1-\u30fa\u4e00-\u9fffー]{2,14} ?[\d０-９]{1,5}(?:号室?|階|F)?)?/u
const chinese =
  /(?:(?:中国)?(?:[\u4e00-\u9fff]{2,8}(?:省|自治区))?[\u4e00-\u9fff]{2,6}市)?(?:[\u4e00-\u9fff]{1,6}(?:区|县|區|縣|镇|乡))?[\u4e00-\u9fff]{1,10}(?:路|街|道|巷|弄|大道|胡同|村|段|里)$/u
const chineseTail =
  /^[\d０-９]{1,5}(?:号|號|弄|巷|栋|幢|室|院|楼|樓|-[\d]{1,4}号?)(?:[A-Za-z]?[\d０-９]{0,4}(?:号楼|号|號|栋|幢|楼|樓|层|室|座|单元|單元|-)){0,5}(?:[\d]{1,5}室?)?/u
const korean =
  /(?:[가-힣]{2,7}(?:시|도|특별시|광역시)? )?(?:[가-힣]{1,6}(?:시|군|구) ){1,3}(?:[가-힣]{1,6}(?:읍|면|동) )?[가-힣\d]{1,12}(?:로|길|대로|동|리)(?:\d{1,3}(?:번)?길)? $/u
const koreanTail =
  /^\d{1,5}(?:-\d{1,4})?(?:번지)?(?:(?:,? )(?:\d{1,4}(?:동|층|호) ?){1,3})?(?: ?\([가-힣0-9, ]{2,16}\))?/u

interface Grammar {
  readonly head: RegExp
  /** Pattern of the end of every head: a cheap look before the long pattern. */
  readonly mayEnd: RegExp
  readonly tail: RegExp
  readonly country: string
}

const grammars: readonly Grammar[] = [
  { head: japanese, mayEnd: /[市区町村郡][^ ]{0,16} ?$/, tail: japaneseTail, country: 'JP' },
  { head: chinese, mayEnd: /[路街道巷弄同村段里]$/, tail: chineseTail, country: 'CN' },
  { head: korean, mayEnd: /[시군구] .{0,26}[로길동리\d] $/, tail: koreanTail, country: 'KR' },
]

/** The address around the number at `at`, if the characters before it name a place of these countries. */
export function eastAsianAt(text: string, at: number): Finding | undefined {
  const left = text.slice(Math.max(0, at - 48), at)
  for (const { head, tail, country, mayEnd } of grammars) {
    if (!mayEnd.test(left)) continue
    const before = head.exec(left)?.[0]
    const after = before === undefined ? undefined : tail.exec(text.slice(at, at + 40))?.[0]
    if (before === undefined || after === undefined) continue
    const start = at - trimmed(before, country).length
    const end = at + after.trimEnd().length
    if (end - start < 6) continue
    return { detector: 'pii', type: 'ADDRESS', start, end, score: sure(before) ? 0.9 : 0.65, rule: 'address', country }
  }
  return undefined
}

const sure = (before: string): boolean => /[都道府県省市시군구]/.test(before)

/** Words that lead to an address (住所は, 地址：, 我住在) are no part of it. */
const trimmed = (before: string, country: string): string =>
  country === 'KR'
    ? before.replace(/^(?:주소는?|저는|우리) /, '')
    : before
        .replace(/^.*?(?:住所は|住所|自宅は|所在地は|地址是|地址在|地址|住在|寄到|送到|寄往|位于)/u, '')
        .replace(/^[はがをにのへでとも]+/, '')
