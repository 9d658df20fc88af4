import { describe, expect, test } from 'vitest'
import { failingOpen, type HoldingPiece } from './failing-open.ts'
import { wholeOf } from './text-piece.ts'

/** Holds back three characters, converts to uppercase, and fails at an exclamation mark. */
function shouting(): HoldingPiece {
  let held = ''
  const take = (count: number): string => {
    if (held.includes('!')) throw new Error('loud')
    const left = held.slice(0, count)
    held = held.slice(count)
    return left.toUpperCase()
  }
  return {
    push: (text) => {
      held += text
      return take(Math.max(0, held.length - 3))
    },
    end: () => take(held.length),
    held: () => held,
  }
}

const run = (piece: HoldingPiece, pieces: readonly string[]) =>
  pieces.map((text) => piece.push(text)).join('') + piece.end()

describe('a filter that fails', () => {
  test('lets go what it held and then everything, and says so once', () => {
    const told: unknown[] = []
    const piece = failingOpen(shouting(), (error) => told.push(error))
    expect(run(piece, ['one two', ' three!', ' four'])).toBe('ONE two three! four')
    expect(told).toEqual([new Error('loud')])
    expect(piece.held()).toBe('')
  })

  test('at the end of the text loses nothing either', () => {
    const endless = shouting()
    const fails = (): string => {
      throw new Error('no end')
    }
    expect(
      run(
        failingOpen({ push: endless.push, held: endless.held, end: fails }, () => {}),
        ['one two'],
      ),
    ).toBe('ONE two')
  })

  test('and may not lets nothing go', () => {
    const piece = failingOpen(shouting(), () => {
      throw new Error('closed')
    })
    expect(() => run(piece, ['one!'])).toThrow('closed')
  })
})

test('a filter that works is left alone', () => {
  const piece = failingOpen(shouting(), () => {
    throw new Error('not told')
  })
  expect(run(piece, ['one ', 'two'])).toBe('ONE TWO')
  expect(
    wholeOf(
      failingOpen(shouting(), () => {}),
      'one!',
    ),
  ).toBe('one!')
})
