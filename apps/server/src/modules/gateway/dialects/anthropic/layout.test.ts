import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnswerEvent } from '../../call/call.ts'
import { textFilter } from '../../call/texts/event-filter.ts'
import { decodeAnswer } from '../../providers/adapters/anthropic/decode.ts'
import { message, searched, thoughtful } from '../../testing/anthropic-shapes.ts'
import type { BlockStep } from './block-queue.ts'
import { foldBlocks } from './fold.ts'
import { createLayout } from './layout.ts'

const events = (content: readonly object[]) =>
  decodeAnswer(JSON.stringify(message(content)), { form: 'anthropic_messages' })

function stepsOf(given: readonly AnswerEvent[], isExact = () => true): readonly BlockStep[] {
  const layout = createLayout({ isExact })
  return [...given.flatMap((event) => [...layout.push(event)]), ...layout.end()]
}

/** Holds back the last `window` characters of each text, as inspection does. */
function heldBack(window: number, change = (text: string) => text) {
  return textFilter(
    () => {
      let held = ''
      return {
        push: (text) => {
          held += text
          const out = held.slice(0, Math.max(0, held.length - window))
          held = held.slice(out.length)
          return change(out)
        },
        end: () => change(held),
      }
    },
    { streams: true, blocks: true, single: new Set() },
  )
}

function through(given: readonly AnswerEvent[], filter: ReturnType<typeof heldBack>): readonly AnswerEvent[] {
  return [...given.flatMap((event) => [...filter.push(event)]), ...filter.end()]
}

/** The same answer with its texts in pieces of these lengths. */
function cut(given: readonly AnswerEvent[], lengths: readonly number[]): readonly AnswerEvent[] {
  let at = 0
  return given.flatMap((event) => {
    if (event.type !== 'text' && event.type !== 'tool_arguments') return [event]
    const pieces: AnswerEvent[] = []
    for (let from = 0; from < event.text.length; ) {
      const size = lengths.length === 0 ? event.text.length : (lengths[at++ % lengths.length] ?? 1)
      pieces.push({ ...event, text: event.text.slice(from, from + size) })
      from += size
    }
    return pieces
  })
}

/** One block is open at a time, their indexes count up, and each ends. */
function expectOrder(steps: readonly BlockStep[]): void {
  let open: number | null = null
  let next = 0
  for (const { step, index } of steps) {
    if (step === 'start') {
      expect([open, index]).toEqual([null, next])
      open = index
      next += 1
    } else expect(index).toBe(open)
    if (step === 'stop') open = null
  }
  expect(open).toBeNull()
}

const content = [...thoughtful, ...searched]

describe('the blocks of an answer', () => {
  test('are those that came, however texts were cut and held back', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 })
    fc.assert(
      fc.property(lengths, fc.integer({ min: 0, max: 60 }), fc.boolean(), (sizes, window, isExact) => {
        const steps = stepsOf(through(cut(events(content), sizes), heldBack(window)), () => isExact)
        expectOrder(steps)
        expect(foldBlocks(steps)).toEqual(content)
      }),
    )
  })

  test('leave as soon as nothing of what stands before them can be missing', () => {
    const layout = createLayout({ isExact: () => true })
    const [start, ...rest] = events(thoughtful).filter(({ type }) => type !== 'finish')
    const steps = [start, ...rest].flatMap((event) => (event === undefined ? [] : [...layout.push(event)]))
    expect(foldBlocks(steps)).toEqual(thoughtful)
    expect(layout.end()).toEqual([])
  })

  test('let text flow while it is made, although the thinking before it is held back', () => {
    const layout = createLayout({ isExact: () => true })
    const filter = heldBack(3)
    const push = (event: AnswerEvent) =>
      filter.push(event).flatMap((passed) => layout.push(passed).map(({ step, index }) => `${step} ${index}`))
    const text = (channel: 'text' | 'reasoning', said: string): AnswerEvent => ({
      type: 'text',
      choice: 0,
      channel,
      text: said,
    })
    expect(push(text('reasoning', 'A thought.'))).toEqual(['start 0', 'delta 0'])
    expect(push(text('text', 'Hello there.'))).toEqual(['delta 0', 'stop 0', 'start 1', 'delta 1'])
  })

  test('keep all text and their order when a text was changed on its way', () => {
    const longer = (text: string) => text.replaceAll(' ', '___')
    const steps = stepsOf(through(events(content), heldBack(20, longer)), () => false)
    expectOrder(steps)
    const blocks = foldBlocks(steps)
    expect(blocks.map(({ type }) => type)).toEqual(content.map(({ type }) => type))
    const textOf = (list: readonly object[]) => list.map((block) => Reflect.get(block, 'text') ?? '').join('')
    expect(textOf(blocks)).toBe(longer(textOf(content)))
  })

  test('without places stand as a model makes them', () => {
    const given: readonly AnswerEvent[] = [
      { type: 'text', choice: 0, channel: 'reasoning', text: 'Hm.' },
      { type: 'tool_call', choice: 0, index: 0, id: 'a', name: 'f' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{' },
      { type: 'text', choice: 0, channel: 'text', text: 'Late.' },
      { type: 'text', choice: 1, channel: 'text', text: 'Another choice.' },
    ]
    expect(foldBlocks(stepsOf(given))).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'text', text: 'Late.' },
      { type: 'tool_use', id: 'a', name: 'f', input: { INVALID_JSON: '{' } },
    ])
  })

  test('of another vendor’s marks are nobody’s', () => {
    const value = { kind: 'text', length: 'x' }
    const marks: readonly AnswerEvent[] = [
      { type: 'raw', event: 'block_ends', item: { form: 'anthropic_messages', value } },
      { type: 'raw', event: 'block', item: { form: 'openai_responses', value: { block: {}, deltas: [] } } },
      {
        type: 'reasoning_data',
        choice: 0,
        data: { form: 'openai_responses', value: { type: 'thinking', signature: 's' } },
      },
      { type: 'annotation', choice: 0, note: { form: 'openai_chat', value: 1 } },
    ]
    expect(stepsOf(marks)).toEqual([])
  })
})
