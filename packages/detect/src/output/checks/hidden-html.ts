/** HTML elements that hide text from the reader, and comments that speak to a model. */
import type { Finding } from '../../base/finding.ts'
import { findingAt } from './local-check.ts'

interface Tag {
  readonly start: number
  readonly end: number
  readonly tag: string
}

const hides =
  /display\s{0,2}:\s{0,2}none|visibility\s{0,2}:\s{0,2}hidden|opacity\s{0,2}:\s{0,2}0(?![.\d])|font-size\s{0,2}:\s{0,2}[01](?![.\d])|["'; ]color\s{0,2}:\s{0,2}(?:#fff\b|#ffffff\b|white|transparent)|text-indent\s{0,2}:\s{0,2}-\d{3}|(?:left|top)\s{0,2}:\s{0,2}-\d{3}|\shidden(?=[\s>=])/i
const speaksToModel =
  /\b(?:ignore|disregard|override)\b[^<]{0,40}\b(?:instructions?|rules|above|previous)|\b(?:ai|assistant|language model|llm|chatbot|agent)s?\b[^<]{0,40}\b(?:must|should|please|now)\b|system prompt|do not (?:tell|mention|reveal)/i

const maxContent = 160

/** Adds a finding when the tag hides at least three words that follow it. */
export function hiddenElement(text: string, { start, end, tag }: Tag, found: Finding[]): void {
  if (!/style|hidden/i.test(tag) || !hides.test(tag)) return
  const content = text.slice(end, Math.min(text.length, start + 256, end + maxContent))
  const close = content.indexOf('<')
  const shown = close < 0 ? content : content.slice(0, close)
  if ((shown.match(/\p{L}{2,24}/gu) ?? []).length < 3) return
  const isInstruction = speaksToModel.test(shown)
  found.push(
    findingAt(text, {
      type: 'hidden-html',
      rule: isInstruction ? 'hidden-instruction' : 'hidden-element',
      start,
      end: end + shown.length,
      score: isInstruction ? 0.85 : 0.4,
    }),
  )
}

/** Adds comments that give a model instructions; other comments are everyday code. */
export function findComments(text: string, found: Finding[]): void {
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', at + 4)) {
    const body = text.slice(at + 4, at + 4 + maxContent)
    const close = body.indexOf('-->')
    const comment = close < 0 ? body : body.slice(0, close)
    if (!speaksToModel.test(comment)) continue
    const end = at + 4 + comment.length + (close < 0 ? 0 : 3)
    found.push(findingAt(text, { type: 'hidden-html', rule: 'hidden-instruction', start: at, end, score: 0.85 }))
  }
}
