/**
 * Every text of a provider's answer that is passed on was seen by the inspection. Each text of answers with all members
 * is replaced in turn by one that must not pass uninspected, as in every-place.test.ts.
 */
import { describe, expect, test } from 'vitest'
import type { AnswerEvent } from '../call/call.ts'
import { singleTexts, textFilter } from '../call/texts/event-filter.ts'
import { decodeAnswer as decodeMessages } from '../providers/adapters/anthropic/decode.ts'
import { decodeAnswer as decodeChat } from '../providers/adapters/openai/decode.ts'
import { decodeResponse } from '../providers/adapters/openai/responses/decode.ts'
import { placesIn, withText } from '../testing/places.ts'

interface Form {
  readonly answer: object
  read(text: string): readonly AnswerEvent[]
}

const token = { token: 'Hi', logprob: -1, bytes: [72, 105], top_logprobs: [{ token: 'Ho', logprob: -2, bytes: null }] }

const chat: Form = {
  answer: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    system_fingerprint: 'fp',
    service_tier: 'default',
    provider: 'p',
    citations: ['https://example.org'],
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        native_finish_reason: 'stop',
        content_filter_results: { hate: { severity: 'safe' } },
        logprobs: { content: [token], refusal: [{ ...token, token: 'No' }] },
        message: {
          role: 'assistant',
          content: 'Hi',
          refusal: 'No',
          reasoning_content: 'hm',
          reasoning: 'hm',
          reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's' }],
          annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.org', title: 't' } }],
          audio: { id: 'a', transcript: 't', data: 'd' },
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"q":"x"}' } },
            { id: 'call_2', type: 'custom', custom: { name: 'write', input: 'words' } },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cost_details: { tier: 'x' } },
  },
  read: (text) => decodeChat(text, { form: 'openai_chat' }),
}

const responses: Form = {
  answer: {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    service_tier: 'default',
    output: [
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'hm' }],
        content: [{ type: 'reasoning_text', text: 'hm' }],
        status: 'completed',
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        phase: 'final',
        content: [
          {
            type: 'output_text',
            text: 'Hi',
            annotations: [{ type: 'file_citation', filename: 'x' }],
            logprobs: [token],
          },
          { type: 'refusal', refusal: 'No' },
        ],
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: 'look',
        arguments: '{"q":"x"}',
        status: 'completed',
      },
      {
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'q', sources: [{ url: 'u' }] },
      },
      { type: 'mcp_call', id: 'mcp_1', name: 'n', server_label: 'l', arguments: '{"q":"x"}', output: 'o', error: 'e' },
      {
        type: 'code_interpreter_call',
        id: 'ci_1',
        code: 'c',
        container_id: 'cn',
        outputs: [{ type: 'logs', logs: 'l' }],
      },
      { type: 'image_generation_call', id: 'ig_1', result: 'AAAA', revised_prompt: 'p' },
    ],
    warnings: ['w'],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
  read: decodeResponse,
}

const messages: Form = {
  answer: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    container: { id: 'c' },
    context_management: { applied_edits: [{ type: 't' }] },
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'b3Bh' },
      { type: 'text', text: 'Hi', citations: [{ type: 'char_location', cited_text: 'x', document_title: 't' }] },
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ type: 'web_search_result', title: 't' }] },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: ['x'] }, caller: { type: 'direct' } },
    ],
    stop_reason: 'stop_sequence',
    stop_sequence: 'END',
    stop_details: { type: 'refusal', explanation: 'e' },
    usage: { input_tokens: 1, output_tokens: 1, service_tier: 'standard', inference_geo: 'us' },
  },
  read: (text) => decodeMessages(text, { form: 'anthropic_messages' }),
}

const planted = ['Ask jane.early@example.org', 'AKIAIOSFODNN7EXAMPLQ']

/** Data sealed by the vendor is only valid unchanged; in other characters it is inspected. */
const unread = /\/content\/\d+\/(?:signature|data)$/

/** Whether the text was sent without being inspected; an answer in another form does not count as one. */
function passesUnread({ read }: Form, answer: unknown, text: string): boolean {
  const events = eventsOf(read, answer)
  const seen: string[] = []
  const push = (said: string): string => {
    seen.push(said)
    return said
  }
  const make = () => ({ push, end: () => '' })
  const filter = textFilter(make, { streams: false, blocks: false, single: singleTexts(events) })
  const left = [...events.flatMap((event) => filter.push(event)), ...filter.end()]
  return JSON.stringify(left).includes(text) && !seen.some((said) => said.includes(text))
}

function eventsOf(read: Form['read'], answer: unknown): readonly AnswerEvent[] {
  try {
    return read(JSON.stringify(answer))
  } catch {
    return []
  }
}

describe.each([
  ['OpenAI’s chat', chat],
  ['OpenAI’s responses', responses],
  ['Anthropic’s messages', messages],
])('of %s', (_name, form) => {
  test('the answer that has everything is read', () => {
    expect(form.read(JSON.stringify(form.answer)).length).toBeGreaterThan(5)
  })

  test.each(planted)('nothing leaves unread where it says %s', (text) => {
    const places = placesIn(form.answer)
    const found = places.filter((path) => passesUnread(form, withText(form.answer, path, text), text))
    expect(found.map((path) => `/${path.join('/')}`).filter((place) => !unread.test(place))).toEqual([])
    expect(places.length).toBeGreaterThan(20)
  })
})
