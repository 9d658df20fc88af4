/**
 * Filters a JSON text by the meaning of its strings rather than their spelling: `\u0040` is an @ to every JSON reader,
 * so it must be one to a search for addresses. A text without findings comes out as the same JSON, however it is split,
 * and a line break or a quote in a string stays one. Tested in json-piece.test.ts.
 */
import { type TextPiece, wholeOf } from './text-piece.ts'

/** Precedes a character that was escaped and must be escaped again. A Unicode noncharacter, so no text needs it. */
const mark = '\uFDD1'
const marked: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  [mark, mark],
])
const letters: ReadonlyMap<string, string> = new Map(
  [...marked].flatMap(([char, spelled]) => (char === mark ? [] : [[spelled.slice(1), char]])),
)

export function jsonPiece(inner: TextPiece): TextPiece {
  const read = createReader()
  const write = createWriter()
  return {
    push: (text) => write(inner.push(read(text))),
    end: () => write(inner.push(read('', true)) + inner.end()),
    whole: (text) => write(wholeOf(inner, read(text, true))),
  }
}

/** Meaning and length of an escape sequence at `at`; null while it is incomplete. */
interface Read {
  readonly said: string
  readonly length: number
}

function createReader(): (chunk: string, isLast?: boolean) => string {
  let held = ''
  return (chunk, isLast = false) => {
    const text = held + chunk
    held = ''
    let said = ''
    let at = 0
    for (const { index } of text.matchAll(/[\\\uFDD1]/g)) {
      if (index < at) continue
      const read = text[index] === mark ? { said: mark + mark, length: 1 } : readEscape(text, index)
      said += text.slice(at, index)
      at = index
      if (read === null && !isLast) {
        held = text.slice(index)
        return said
      }
      said += read?.said ?? '\\'
      at += read?.length ?? 1
    }
    return said + text.slice(at)
  }
}

/** Each half of a surrogate pair has its own escape. */
function readEscape(text: string, at: number): Read | null {
  const sign = text[at + 1]
  if (sign === undefined) return null
  const char = letters.get(sign)
  if (char !== undefined) return { said: mark + char, length: 2 }
  if (sign === '/') return { said: sign, length: 2 }
  if (sign !== 'u') return { said: '\\', length: 1 }
  const first = readUnit(text, at)
  if (typeof first !== 'number') return first
  if (!isHigh(first)) return saying(String.fromCharCode(first), text.slice(at, at + escapeLength))
  const next = at + escapeLength
  if (text.length === next || (text[next] === '\\' && text.length === next + 1)) return null
  const second = text.startsWith('\\u', next) ? readUnit(text, next) : raw
  if (second === null) return null
  if (typeof second !== 'number' || !isLow(second)) return { said: text.slice(at, next), length: escapeLength }
  return { said: String.fromCharCode(first, second), length: 2 * escapeLength }
}

const escapeLength = 6
/** A backslash that begins no known escape stays as it is. */
const raw: Read = { said: '\\', length: 1 }

/** The number after `\u`; null while more digits may come. */
function readUnit(text: string, at: number): number | Read | null {
  const digits = text.slice(at + 2, at + escapeLength)
  if (!/^[0-9a-f]*$/i.test(digits)) return raw
  return digits.length < 4 ? null : Number.parseInt(digits, 16)
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Control characters and lone surrogates have to stay escaped. */
function saying(char: string, spelled: string): Read {
  const length = escapeLength
  if (char !== mark && marked.has(char)) return { said: mark + char, length }
  const stays = char < ' ' || char === mark || isLow(char.charCodeAt(0))
  return { said: stays ? spelled : char, length }
}

function createWriter(): (text: string) => string {
  let isMarked = false
  return (text) => {
    if (!isMarked && !text.includes(mark)) return text
    let written = ''
    for (const char of text) {
      // A mark whose character was removed is dropped.
      const spelled = isMarked ? marked.get(char) : undefined
      const begins = spelled === undefined && char === mark
      if (!begins) written += spelled ?? char
      isMarked = begins
    }
    return written
  }
}
