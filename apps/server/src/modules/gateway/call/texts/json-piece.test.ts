import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPiece } from './json-piece.ts'
import type { TextPiece } from './text-piece.ts'

/** Receives the whole text, and releases each piece at once. */
function spied(change: (text: string) => string = (text) => text) {
  const seen: string[] = []
  const piece: TextPiece = {
    push: (text) => {
      seen.push(text)
      return change(text)
    },
    end: () => '',
  }
  return { piece: jsonPiece(piece), seen: () => seen.join('') }
}

function cut(piece: TextPiece, text: string, at: readonly number[]): string {
  let left = ''
  let from = 0
  for (const to of [...at.filter((one) => one < text.length).sort((a, b) => a - b), text.length]) {
    left += piece.push(text.slice(from, to))
    from = to
  }
  return left + piece.end()
}

const spelled = (text: string): string =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

test('what is spelled out is seen as it is read', () => {
  const { piece, seen } = spied()
  const text = `{"to":"jane\\u0040example.org","key":"${spelled('AKIA')}","a":"x\\/y","s":"\\ud83d\\ude00"}`
  expect(JSON.parse(cut(piece, text, []))).toEqual(JSON.parse(text))
  expect(seen()).toContain('jane@example.org')
  expect(seen()).toContain('"AKIA"')
  expect(seen()).toContain('x/y')
  expect(seen()).toContain('😀')
})

test('a value at the beginning of a line is taken out without breaking the line', () => {
  const { piece, seen } = spied((text) => text.replace(/\w+@example\.org/, '⟦EMAIL_1⟧'))
  expect(JSON.parse(cut(piece, '{"text":"to\\njane@example.org"}', []))).toEqual({ text: 'to\n⟦EMAIL_1⟧' })
  expect(seen()).not.toContain('njane')
})

test('what had to be escaped where it was taken out leaves nothing behind', () => {
  const { piece } = spied((text) => text.replace(/\n/, ''))
  expect(cut(piece, '{"a":"b\\nc"}', [])).toBe('{"a":"bc"}')
})

const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom(
      '\\',
      '"',
      '\\u',
      '\\u00',
      '\\u0041',
      '\\ud83d',
      '\\ude00',
      '\\ud83d\\ude00',
      '\\n',
      '\\"',
      '\uFDD1',
      '\\ufdd1',
      '\\u0000',
    ),
  ),
  { maxLength: 12 },
)

test('a JSON text says the same afterwards, however it comes and is cut', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.nat(200)), fc.boolean(), (value, cuts, all) => {
      const plain = JSON.stringify(value)
      const text = all ? plain.replace(/[^\\"{}[\],:\d.eE+\-a-z ]/g, (char) => spelled(char)) : plain
      expect(JSON.parse(cut(spied().piece, text, cuts))).toEqual(JSON.parse(text))
    }),
  )
})

test('any text is the same however it is cut, and is left alone where nothing is spelled out', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(60)), (parts, cuts) => {
      const text = parts.join('')
      const whole = spied().piece.whole?.(text)
      expect(cut(spied().piece, text, cuts)).toBe(whole)
      if (!/\\(?:u|\/)/.test(text)) expect(whole).toBe(text)
    }),
  )
})
