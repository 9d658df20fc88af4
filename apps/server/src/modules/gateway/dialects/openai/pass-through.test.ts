import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, body } from '../../testing/openai-replies.ts'
import { type OpenAiWorld, openOpenAiWorld } from '../../testing/openai-world.ts'

let at: OpenAiWorld
beforeAll(async () => {
  at = await openOpenAiWorld()
})
afterAll(() => at.close())

const upstreamAnswer = {
  id: 'chatcmpl-7',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'served-model',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Hello.',
        refusal: null,
        annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.com/', title: 'A page' } }],
      },
      logprobs: null,
      finish_reason: 'stop',
      stop_reason: 'x',
    },
  ],
  usage: {
    prompt_tokens: 11,
    completion_tokens: 7,
    total_tokens: 18,
    prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 0 },
  },
  system_fingerprint: 'fp_1',
  service_tier: 'default',
  x_vendor: { deep: [1, 'two'] },
}

test('an answer of the same form comes back as the provider sent it, but for the time', async () => {
  at.upstream.reply(body(upstreamAnswer))
  const got = await at.openai.chat.completions.create({
    model: 'test-model',
    messages: [{ role: 'user', content: 'Hi' }],
  })
  expect(got).toEqual({ ...upstreamAnswer, created: expect.any(Number) })
})

test('members that nobody here knows reach the provider', async () => {
  at.upstream.reply(answer({ content: 'Fine.' }))
  const own = { logit_bias: { '50256': -100 }, top_a: 0.3, provider: { order: ['one'] } }
  await at.openai.chat.completions.create({ model: 'test-model', messages: [{ role: 'user', content: 'Own' }], ...own })
  expect(at.upstream.received.at(-1)?.body).toMatchObject(own)
})

test('a value that the policy hides does not reach the provider in them either, and comes back', async () => {
  at.upstream.reply((response, { body: sent }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const message = { role: 'assistant', content: `I wrote to ${sent.prediction.content}.` }
    response.end(JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  })
  const { choices } = await at.openai.chat.completions.create({
    model: 'test-model',
    messages: [{ role: 'user', content: 'Write for me' }],
    prediction: { type: 'content', content: 'jane.doe@example.org' },
  })
  expect(JSON.stringify(at.upstream.received.at(-1)?.body)).not.toContain('jane.doe')
  expect(choices[0]?.message.content).toBe('I wrote to jane.doe@example.org.')
})
