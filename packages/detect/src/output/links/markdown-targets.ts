/** Targets of Markdown links, images and reference definitions. */
import { mayLeave, targetEnd } from './address.ts'
import type { Target } from './links.ts'

/** Longest label that a finding includes. */
const maxLabel = 64

/** Calls back with every inline target and every definition. */
export function findMarkdownTargets(text: string, visit: (target: Target) => void): void {
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](', at + 2)) {
    const target = inlineTarget(text, at)
    if (target) visit(target)
  }
  for (let at = text.indexOf(']:'); at >= 0; at = text.indexOf(']:', at + 2)) {
    const target = definition(text, at)
    if (target) visit(target)
  }
}

function inlineTarget(text: string, close: number): Target | undefined {
  const { from, to } = targetRange(text, close + 2)
  if (!mayLeave(text.slice(from, to))) return undefined
  const open = labelStart(text, close)
  const isImage = open < 0 || text.charCodeAt(open - 1) === 33
  const start = open < 0 ? close : isImage ? open - 1 : open
  const end = linkEnd(text, to)
  return {
    type: 'markdown-exfiltration',
    mode: isImage ? 'load' : 'link',
    start,
    end,
    raw: text.slice(from, to),
    at: from,
  }
}

/** Offset of the bracket that opens the label, or -1 when it is far away. */
function labelStart(text: string, close: number): number {
  let depth = 0
  const least = Math.max(0, close - maxLabel)
  for (let i = close - 1; i >= least; i -= 1) {
    const code = text.charCodeAt(i)
    if (code === 93) depth += 1
    else if (code === 91) {
      if (depth === 0) return i
      depth -= 1
    }
  }
  return -1
}

function targetRange(text: string, from: number): { from: number; to: number } {
  let start = from
  const most = Math.min(text.length, from + 8)
  while (start < most && text.charCodeAt(start) <= 32) start += 1
  if (text.charCodeAt(start) !== 60) return { from: start, to: targetEnd(text, start) }
  const close = text.slice(start, start + 180).indexOf('>')
  return { from: start + 1, to: close < 0 ? targetEnd(text, start + 1) : start + close }
}

/** After the closing parenthesis, a title included, when it is near. */
function linkEnd(text: string, from: number): number {
  const tail = /^>?\s{0,4}(?:"[^"\n]{0,40}"|'[^'\n]{0,40}'|\([^)\n]{0,40}\))?\s{0,4}\)/.exec(
    text.slice(from, from + 56),
  )
  return from + (tail?.[0].length ?? 0)
}

/** `[name]: target` at the start of a line. It may belong to an image, so it counts as loaded. */
function definition(text: string, close: number): Target | undefined {
  const open = labelStart(text, close)
  if (open < 0) return undefined
  const before = text.slice(Math.max(0, open - 4), open)
  if (!/(?:^|\n)[ >]{0,3}$/.test(before) || text.charCodeAt(open + 1) === 94) return undefined
  const { from, to } = targetRange(text, close + 2)
  if (to <= from) return undefined
  return { type: 'markdown-exfiltration', mode: 'load', start: open, end: to, raw: text.slice(from, to), at: from }
}
