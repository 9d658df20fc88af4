/**
 * HTML and Markdown as a reader sees it, and the parts that the markup hides from the reader: comments, invisible
 * elements, attributes, link titles, front matter. Works on normalized text in one pass.
 */
import { type Budget, spend } from './view/budget.ts'
import { type Patchwork, type Piece, patch } from './view/view.ts'

/** A part of the text that is not shown. */
export interface HiddenPart extends Patchwork {
  /** `html-comment`, `invisible-element`, `attribute`, `link-title`, `markdown-comment`, `front-matter` or `script`. */
  readonly name: string
}

export interface Markup {
  readonly visible: Patchwork
  readonly hidden: readonly HiddenPart[]
}

/** Both sides of the markup, or undefined when there is none to speak of. */
export function readMarkup(text: string, budget: Budget): Markup | undefined {
  const isHtml = text.indexOf('<') >= 0 && /<[a-z!/?]/.test(text)
  const isMarkdown = text.indexOf('](') >= 0 || text.indexOf(']: ') >= 0 || text.startsWith('---\n')
  if (!isHtml && !isMarkdown) return undefined
  const parts: Parts = { visible: [], hidden: new Map(), copied: 0, budget }
  const from = text.startsWith('---\n') ? frontMatter(text, parts) : 0
  walk(text, from, parts)
  show(text, text.length, parts)
  if (parts.hidden.size === 0 && parts.visible.length < 2) return undefined
  const hidden = [...parts.hidden].map(([name, pieces]) => ({ name, ...patch(pieces) }))
  return { visible: patch(parts.visible), hidden }
}

/** Reads tags and links from sign to sign; stops where the budget ends. */
function walk(text: string, from: number, parts: Parts): void {
  let tag = text.indexOf('<', from)
  let link = text.indexOf('[', from)
  while ((tag >= 0 || link >= 0) && spend(parts.budget, 1)) {
    const isTag = tag >= 0 && (link < 0 || tag < link)
    const next = isTag ? readTag(text, tag, parts) : readLink(text, link, parts)
    if (tag >= 0 && tag < next) tag = text.indexOf('<', next)
    if (link >= 0 && link < next) link = text.indexOf('[', next)
  }
}

interface Parts {
  readonly visible: Piece[]
  readonly hidden: Map<string, Piece[]>
  /** Everything before this offset has been given to one side. */
  copied: number
  readonly budget: Budget
}

function show(text: string, end: number, parts: Parts): void {
  if (end > parts.copied) {
    parts.visible.push({ text: text.slice(parts.copied, end), start: parts.copied, end, literal: true })
  }
  parts.copied = Math.max(parts.copied, end)
}

const minHidden = 3

function hide(text: string, parts: Parts, { name, start, end }: { name: string; start: number; end: number }): void {
  if (end - start < minHidden || !/[^\W\d]|[^\0-\x7f]/.test(text.slice(start, Math.min(end, start + 200)))) return
  const list = parts.hidden.get(name) ?? []
  list.push(
    { text: text.slice(start, end), start, end, literal: true },
    { text: '\n', start: end - 1, end, literal: false },
  )
  parts.hidden.set(name, list)
}

function frontMatter(text: string, parts: Parts): number {
  const end = text.indexOf('\n---', 3)
  if (end < 0 || end > 4000) return 0
  hide(text, parts, { name: 'front-matter', start: 4, end })
  parts.copied = end + 4
  return end + 4
}

// A tag longer than this is not markup; an element hidden for longer than the rest of the text has no end tag.
const maxTag = 2048

function readTag(text: string, at: number, parts: Parts): number {
  if (text.startsWith('<!--', at)) return readComment(text, at, parts)
  const next = text.charCodeAt(at + 1)
  if (!(next >= 97 && next <= 122) && next !== 47 && next !== 33 && next !== 63) return at + 1
  const end = tagEnd(text, at)
  if (end < 0) {
    // A search that ran into the limit was long.
    spend(parts.budget, 64)
    return at + 1
  }
  spend(parts.budget, 4)
  show(text, at, parts)
  const tag = text.slice(at + 1, end - 1)
  const name = /^[a-z][a-z0-9-]{0,20}/.exec(tag)?.[0] ?? ''
  if (blocks.has(name) || next === 47)
    parts.visible.push(breakAt(at, end, blocks.has(name) || blocks.has(tag.slice(1).trim())))
  parts.copied = end
  if (name === '') return end
  readAttributes(text, parts, { start: at + 1 + name.length, end: end - 1 })
  if (unseen.has(name)) return hideElement(text, parts, { name, label: 'script', from: end })
  if (isInvisible(tag)) return hideElement(text, parts, { name, label: 'invisible-element', from: end })
  return end
}

const blocks: ReadonlySet<string> = new Set(
  'p div br li ul ol tr td th table h1 h2 h3 h4 h5 h6 section article header footer hr title body head html'.split(' '),
)
const unseen: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript'])

const breakAt = (start: number, end: number, isBlock: boolean): Piece => ({
  text: isBlock ? '\n' : '',
  start,
  end,
  literal: false,
})

function tagEnd(text: string, at: number): number {
  let quote = 0
  const most = Math.min(text.length, at + maxTag)
  for (let i = at + 1; i < most; i += 1) {
    const code = text.charCodeAt(i)
    if (quote > 0) {
      if (code === quote) quote = 0
    } else if (code === 62) return i + 1
    else if (code === 60) return -1
    else if ((code === 34 || code === 39) && text.charCodeAt(i - 1) === 61) quote = code
  }
  return -1
}

function readComment(text: string, at: number, parts: Parts): number {
  const close = text.indexOf('-->', at + 4)
  const end = close < 0 ? text.length : close
  show(text, at, parts)
  hide(text, parts, { name: 'html-comment', start: at + 4, end })
  parts.copied = Math.min(text.length, end + 3)
  return parts.copied
}

const attribute = /([a-z][a-z0-9-]{0,40})\s?=\s?(?:"([^"]{0,2000})"|'([^']{0,2000})')/g
const telling = /^(?:alt|title|content|placeholder|summary|label|value|data-[a-z-]{1,40}|aria-[a-z-]{1,40})$/

function readAttributes(text: string, parts: Parts, { start, end }: { start: number; end: number }): void {
  for (const match of text.slice(start, end).matchAll(attribute)) {
    if (!telling.test(match[1] ?? '')) continue
    const value = match[2] ?? match[3] ?? ''
    const from = start + match.index + match[0].length - 1 - value.length
    hide(text, parts, { name: 'attribute', start: from, end: from + value.length })
  }
}

const invisible =
  /display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0(?:\.0{1,4}\d?)?(?![.\d])|font-size\s?:\s?0(?:\.\d{1,2})?(?:px|pt|em|rem|%)?(?![.\d])|font-size\s?:\s?1px|["'; ]color\s?:\s?(?:#fff(?:fff)?\b|white|transparent|rgba?\(255, ?255, ?255)|text-indent\s?:\s?-\d{3,5}|(?:left|top)\s?:\s?-\d{3,5}|\shidden(?:\s|=|$)|aria-hidden\s?=\s?["']true|(?:width|height)\s?:\s?0(?:px)?\s?;/

const isInvisible = (tag: string): boolean =>
  (tag.indexOf('style') >= 0 || tag.indexOf('hidden') >= 0) && invisible.test(tag)

function hideElement(
  text: string,
  parts: Parts,
  { name, label, from }: { name: string; label: string; from: number },
): number {
  if (voids.has(name)) return from
  const close = text.indexOf(`</${name}`, from)
  const end = close < 0 ? text.length : close
  hide(text, parts, { name: label, start: from, end })
  parts.copied = end
  return end
}

const voids: ReadonlySet<string> = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

// `[text](url "title")` and `[//]: # (comment)`.
const comment = /^\[[^\]\n]{1,40}\]: ?(?:<>|#\S{0,40}) ?(?:\(([^\n]{0,2000})\)|"([^"\n]{0,2000})"|'([^'\n]{0,2000})')/
const title = /^\]\((?:[^\s()"]{0,500}) ["']([^"'\n]{1,500})["']\)/

function readLink(text: string, at: number, parts: Parts): number {
  const head = text.slice(at, at + 48)
  const close = head.indexOf(']')
  if (close > 0 && head.startsWith(']:', close)) {
    const match = comment.exec(text.slice(at, at + 2100))
    if (match) return hideComment(text, at, { whole: match[0], value: match[1] ?? match[2] ?? match[3] ?? '' }, parts)
  }
  const bracket = close > 0 ? close : text.slice(at, at + 300).indexOf(']')
  if (bracket < 0 || text.charCodeAt(at + bracket + 1) !== 40) return at + 1
  const match = title.exec(text.slice(at + bracket, at + bracket + 1100))
  if (match?.[1]) {
    const from = at + bracket + match[0].length - 2 - match[1].length
    hide(text, parts, { name: 'link-title', start: from, end: from + match[1].length })
  }
  if (text.charCodeAt(at - 1) === 33) hide(text, parts, { name: 'attribute', start: at + 1, end: at + bracket })
  return at + bracket + 1
}

function hideComment(text: string, at: number, found: { whole: string; value: string }, parts: Parts): number {
  const end = at + found.whole.length
  show(text, at, parts)
  hide(text, parts, { name: 'markdown-comment', start: end - 1 - found.value.length, end: end - 1 })
  parts.copied = end
  return end
}
