/** Escape sequences that a terminal would carry out. */
import type { Finding } from '../../base/finding.ts'
import { findingAt } from './local-check.ts'

/** Longest sequence that is read. */
const maxSequence = 240

/** Adds a finding for each sequence: ESC or a C1 control (ECMA-48, 8-bit forms). */
export function findTerminalEscapes(text: string, found: Finding[]): void {
  for (let at = nextIntroducer(text, 0); at >= 0; at = nextIntroducer(text, at + 1)) {
    const kind = introducer(text, at)
    if (kind === 'control') controlSequence(text, at, found)
    else if (kind === 'string') stringSequence(text, at, found)
    else
      found.push(findingAt(text, { type: 'ansi-escape', rule: 'terminal-control', start: at, end: at + 1, score: 0.6 }))
  }
}

// Control characters are what is looked for, so the patterns are built from their codes.
const introducers = new RegExp(`[${String.fromCharCode(0x1b, 0x90, 0x9b, 0x9d, 0x9e, 0x9f)}]`, 'g')
const terminators = new RegExp(`[${String.fromCharCode(7, 0x9c, 0x1b)}]`)

function nextIntroducer(text: string, from: number): number {
  introducers.lastIndex = from
  const index = introducers.exec(text)?.index ?? -1
  introducers.lastIndex = 0
  return index
}

const stringEnd = (text: string): number => text.search(terminators)

function introducer(text: string, at: number): 'control' | 'string' | 'single' {
  const code = text.charCodeAt(at)
  if (code !== 0x1b) return code === 0x9b ? 'control' : 'string'
  const next = text.charAt(at + 1)
  return next === '[' ? 'control' : next !== '' && 'P]X^_'.includes(next) ? 'string' : 'single'
}

function controlSequence(text: string, at: number, found: Finding[]): void {
  const head = text.charCodeAt(at) === 0x1b ? 2 : 1
  const body = /^[0-?]{0,64}[ -/]{0,4}[@-~]?/.exec(text.slice(at + head, at + head + 72))?.[0] ?? ''
  const isColor = /^[\d;:]{0,64}m$/.test(body)
  // `8` draws text invisibly: hidden text is not a color.
  const hides = isColor && /(?:^|;)8(?:;|m)/.test(body)
  found.push(
    findingAt(text, {
      type: 'ansi-escape',
      rule: isColor && !hides ? 'terminal-color' : 'terminal-control',
      start: at,
      end: at + head + body.length,
      score: isColor && !hides ? 0.4 : 0.8,
    }),
  )
}

function stringSequence(text: string, at: number, found: Finding[]): void {
  const head = text.charCodeAt(at) === 0x1b ? 2 : 1
  const near = text.slice(at + head, at + maxSequence)
  const close = stringEnd(near)
  const body = close < 0 ? near : near.slice(0, close)
  const tail = close < 0 ? 0 : near.startsWith('\u001b\\', close) ? 2 : near.charCodeAt(close) === 0x1b ? 0 : 1
  const command = /^\d{1,4}(?=;)/.exec(body)?.[0]
  const rule = command === '52' ? 'terminal-clipboard' : command === '8' ? 'terminal-link' : 'terminal-control'
  const score = rule === 'terminal-clipboard' ? 0.95 : 0.8
  found.push(findingAt(text, { type: 'ansi-escape', rule, start: at, end: at + head + body.length + tail, score }))
}
