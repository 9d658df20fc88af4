import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolLabel } from '../declared/words.ts'
import { conversationOf } from './conversation.ts'
import { judgeFlow, labelsRead, mostLabels, union } from './labels.ts'

const tool = (labels: readonly ToolLabel[] = [], more: object = {}) => ({
  ...{ server: 'mail', tool: 'send', labels: new Set(labels), trust: 'verified' as const },
  ...more,
})
const judged = (held: readonly string[], labels: readonly ToolLabel[], more: object = {}) =>
  judgeFlow(new Set(held), tool(labels, more))

describe('the built-in flow rules', () => {
  test.each([
    [['untrusted', 'private:internal'], ['external_send'], 'untrusted-private-send'],
    [['untrusted', 'pii'], ['external_send'], 'untrusted-private-send'],
    [['untrusted'], ['code_exec'], 'untrusted-execution'],
    [['untrusted'], ['payment'], 'untrusted-execution'],
    [['secret', 'secret@vault'], ['external_send'], 'secret-to-others'],
  ] as const)('%j before %j: %s', (held, labels, rule) => {
    expect(judged(held, labels)?.rule).toBe(rule)
  })

  test('let everything else pass', () => {
    expect(judged(['untrusted'], ['external_send'])).toBeNull()
    expect(judged(['private:restricted'], ['external_send'])).toBeNull()
    expect(judged([], ['code_exec', 'payment', 'external_send'])).toBeNull()
  })

  test('give restricted data to verified servers alone, and back to its own', () => {
    const held = ['private:restricted', 'private:restricted@crm']
    expect(judged(held, [], { trust: 'reviewed' })).toMatchObject({ action: 'deny', rule: 'restricted-to-unverified' })
    expect(judged(held, [], { trust: 'reviewed', server: 'crm' })).toBeNull()
    expect(judged(['secret', 'secret@mail'], ['external_send'])).toBeNull()
  })
})

test('a result adds the labels of its tool and of what it shows, with their source', () => {
  const read = { tool: tool(['reads_private:restricted']), detections: new Set(['injection', 'secret']) }
  expect(labelsRead(read)).toEqual([
    ...['private:restricted', 'untrusted', 'secret'],
    ...['private:restricted@mail', 'secret@mail', 'src:mail/send'],
  ])
  expect(labelsRead({ tool: tool(['external_send']), detections: new Set() })).toEqual([])
})

test('labels never become fewer, and sources alone are bounded', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string()),
      fc.array(
        fc.oneof(
          fc.string(),
          fc.string().map((s) => `src:${s}`),
        ),
      ),
      (held, more) => {
        const all = union(new Set(held), more)
        expect(held.every((label) => all.has(label))).toBe(true)
        expect(more.every((label) => all.has(label) || (label.startsWith('src:') && all.size >= mostLabels))).toBe(true)
      },
    ),
  )
})

test('a conversation is the session, else the trace, else its name, else what a key and a client do', () => {
  const facts = { sessionId: null, meta: {}, header: undefined, keyId: 'k', client: 'c 1', autonomy: 1 }
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const meta = { traceparent: `00-${trace}-b7ad6b7169203331-01` }
  expect(conversationOf({ ...facts, sessionId: 'x', meta })).toEqual({
    conversation: 's:x',
    labels: 's:x',
    traceId: trace,
  })
  expect(conversationOf({ ...facts, meta }).conversation).toBe(`t:${trace}`)
  expect(conversationOf({ ...facts, header: 'deal-7' }).conversation).toBe('c:deal-7')
  expect(conversationOf({ ...facts, header: 'a b'.repeat(99) }).conversation).toMatch(/^c:[0-9a-f]{64}$/)
  expect(conversationOf(facts).conversation).toBe(conversationOf({ ...facts }).conversation)
  expect(conversationOf({ ...facts, keyId: 'other' }).conversation).not.toBe(conversationOf(facts).conversation)
  expect(conversationOf({ ...facts, sessionId: 'x', autonomy: 3 }).labels).toBe('agent')
})
