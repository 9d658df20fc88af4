import { describe, expect, test } from 'vitest'
import type { AnswerEvent } from '../call.ts'
import { type AnswerShape, singleTexts, textFilter } from './event-filter.ts'

const plain: AnswerShape = { streams: false, blocks: false, single: new Set() }

/** Holds everything back to its end and replaces digits with stars. */
const stars = (shape: AnswerShape) =>
  textFilter(() => {
    let held = ''
    return {
      push: (text) => {
        held += text
        return ''
      },
      end: () => held.replaceAll(/\d/g, '*'),
    }
  }, shape)

function run(events: readonly AnswerEvent[], shape = plain): readonly AnswerEvent[] {
  const filter = stars(shape)
  return [...events.flatMap((event) => filter.push(event)), ...filter.end()]
}

const spelled = (token: string) => [{ token, logprob: -1, bytes: null, top: [] }]
const said = (text: string, tokens = spelled(text)): AnswerEvent[] => [
  { type: 'text', choice: 0, channel: 'text', text },
  { type: 'logprobs', choice: 0, channel: 'text', tokens },
  { type: 'finish', choice: 0, reason: 'stop' },
]

test('probabilities follow a text that was left as it is', () => {
  expect(run(said('seven')).map(({ type }) => type)).toEqual(['text', 'logprobs', 'finish'])
})

test('probabilities that spell another text go where that one would be changed', () => {
  const kinds = (tokens: ReturnType<typeof spelled>) => run(said('seven', tokens)).map(({ type }) => type)
  expect(kinds(spelled('seven<end>'))).toEqual(['text', 'logprobs', 'finish'])
  expect(kinds(spelled('code 7'))).toEqual(['text', 'finish'])
  const long = { token: `${'long '.repeat(20)}7`, logprob: -1, bytes: null }
  expect(kinds([{ token: 'seven', logprob: -1, bytes: null, top: [long] as never }])).toEqual(['text', 'finish'])
})

test('a text that is all there is filtered where it stands, and leaves what it leaves in pieces', () => {
  for (const text of ['seven', 'code 7']) {
    const events = said(text)
    expect(run(events, { ...plain, single: singleTexts(events) })).toEqual(run(events))
  }
  const parts = [...said('one 1').slice(0, 1), ...said('two 2')]
  expect(singleTexts(parts)).toEqual(new Set())
  const [first, tool, second] = [
    { type: 'text', choice: 0, channel: 'text', text: 'a 1' },
    { type: 'tool_call', choice: 0, index: 0, id: 'x', name: 'find' },
    { type: 'tool_arguments', choice: 0, index: 0, text: '2' },
  ] as const
  const events: AnswerEvent[] = [first, tool, second]
  expect(run(events, { ...plain, single: singleTexts(events) })).toEqual([
    { ...first, text: 'a *' },
    tool,
    { ...second, text: '*' },
  ])
})

test('probabilities would spell out what was taken from a text, so they go with it', () => {
  const events = run(said('code 7'))
  expect(events.map(({ type }) => type)).toEqual(['text', 'finish'])
  expect(JSON.stringify(events)).not.toContain('7')
})

test('texts inside what only a vendor understands are read as well', () => {
  const events = run([
    { type: 'annotation', choice: 0, note: { form: 'openai_chat', value: { url: 'x7', at: 7 } } },
    { type: 'extra', of: 'message', choice: 0, form: 'openai_chat', members: { a: ['b8'] } },
    { type: 'answer_extra', form: 'openai_chat', members: { c: '9' } },
    { type: 'raw', event: 'e', item: { form: 'openai_responses', value: 'd1' } },
  ])
  expect(events).toEqual([
    { type: 'annotation', choice: 0, note: { form: 'openai_chat', value: { url: 'x*', at: 7 } } },
    { type: 'extra', of: 'message', choice: 0, form: 'openai_chat', members: { a: ['b*'] } },
    { type: 'answer_extra', form: 'openai_chat', members: { c: '*' } },
    { type: 'raw', event: 'e', item: { form: 'openai_responses', value: 'd*' } },
  ])
})

describe('a text of the vendor’s own in a stream', () => {
  const delta = (members: Readonly<Record<string, unknown>>): AnswerEvent => ({
    type: 'extra',
    of: 'message',
    choice: 0,
    form: 'openai_chat',
    members,
  })
  const membersOf = (events: readonly AnswerEvent[]) =>
    events.flatMap((event) => (event.type === 'extra' ? [event.members] : []))
  const finish: AnswerEvent = { type: 'finish', choice: 0, reason: 'stop' }
  const streams = { ...plain, streams: true }

  test('is one text, however it was cut', () => {
    const one = run([delta({ reasoning: 'code 77' }), finish], streams)
    const cut = run([delta({ reasoning: 'code 7' }), delta({ reasoning: '7' }), finish], streams)
    expect(membersOf(one)).toEqual([{ reasoning: '' }, { reasoning: 'code **' }])
    expect(membersOf(cut)).toEqual([{ reasoning: '' }, { reasoning: '' }, { reasoning: 'code **' }])
    expect(cut.at(-1)).toEqual(finish)
  })

  test('in an element of a list goes on where the element says which one it is', () => {
    const detail = (text: string) => delta({ details: [{ type: 'text', index: 2, text }] })
    expect(membersOf(run([detail('a'), detail('1'), finish], streams)).at(-1)).toEqual({
      details: [{ index: 2, text: 'a*' }],
    })
  })

  test('is read in the names of its members as well, once for each', () => {
    const looked: string[] = []
    const make = () => ({
      push: (text: string) => text.replaceAll(/\d/g, '*'),
      end: () => '',
      whole: (text: string) => {
        looked.push(text)
        return text.replaceAll(/\d/g, '*')
      },
    })
    const filter = textFilter(make, streams)
    const sent = [
      delta({ 'call 77': 'a 1', plain: { 'room 8': ['b'] } }),
      delta({ 'call 77': '2', 'call 78': 'c', plain: { 'room 8': [{ index: 0, 'seat 9': 'd' }] } }),
    ].flatMap((event) => filter.push(event))
    expect(membersOf(sent)).toEqual([
      { 'call **': 'a *', plain: { 'room *': ['b'] } },
      { 'call **': '*', 'call **_2': 'c', plain: { 'room *': [{ index: 0, 'seat *': 'd' }] } },
    ])
    expect(looked.filter((text) => text !== 'b')).toEqual(['call 77', 'room 8', 'call 78', 'seat 9'])
  })

  test('goes on under the name it was given, to its end', () => {
    const cut = [delta({ 'call 7': 'a' }), delta({ 'call 7': '1' }), finish]
    expect(membersOf(run(cut, streams)).at(-1)).toEqual({ 'call *': 'a*' })
  })

  test('tells of no name where it tells what stands there', () => {
    const places = new Set<string>()
    const filter = textFilter(({ location }) => {
      places.add(location)
      return { push: (text) => text, end: () => '' }
    }, streams)
    filter.push(delta({ 'jane@example.org': { to: 'x' } }))
    expect([...places].join()).not.toContain('jane')
  })

  test('that is said at once is not held back', () => {
    const note = delta({ notes: [{ type: 'link', url: 'x7' }], audio: { id: 'a7', data: 'QQ==' } })
    expect(membersOf(run([note], streams))).toEqual([
      { notes: [{ type: 'link', url: 'x*' }], audio: { id: 'a*', data: 'QQ==' } },
    ])
  })
})

describe('in an answer of blocks', () => {
  const blocks = { ...plain, streams: true, blocks: true }
  const text = (channel: 'text' | 'reasoning', said: string): AnswerEvent => ({
    type: 'text',
    choice: 0,
    channel,
    text: said,
  })
  const textsOf = (events: readonly AnswerEvent[]) =>
    events.flatMap((event) => (event.type === 'text' ? [`${event.channel}: ${event.text}`] : [event.type]))

  test('thinking leaves before what follows it, also before its signature', () => {
    const sealed: AnswerEvent = {
      type: 'reasoning_data',
      choice: 0,
      data: { form: 'anthropic_messages', value: { type: 'thinking', signature: 's' } },
    }
    expect(textsOf(run([text('reasoning', 'a7'), sealed, text('text', 'b')], blocks))).toEqual([
      'reasoning: a*',
      'reasoning_data',
      'text: b',
    ])
  })

  test('and elsewhere an interrupted text is one text', () => {
    const alternating = [text('reasoning', 'a'), text('text', 'b'), text('reasoning', '7')]
    expect(textsOf(run(alternating))).toEqual(['reasoning: a*', 'text: b'])
  })
})
