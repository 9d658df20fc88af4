/**
 * Test data: request and answer of each kind of provider, the same words in each vendor's form. Used by
 * provider-kinds.test.ts.
 */
import { eventMessage } from '../providers/adapters/aws-bedrock/testing/messages.ts'
import type { Reply } from './upstream.ts'

export interface Kind {
  readonly settings?: object
  /** Of the address that the provider is given. */
  readonly base: string
  readonly path: string
  readonly answer: object
  readonly events: readonly (string | Uint8Array)[]
  readonly streamType: string
  /** Of the request for a stream, where its body does not say it. */
  readonly streamPath?: string
  readonly models: { readonly path: string; readonly body: object; readonly names: readonly string[] }
  readonly embedding: object
  /** Where not every name is one of a model that embeds. */
  readonly embeds?: string
}

/** Sends the pieces of a stream one by one. */
export function pieces(events: Kind['events'], type: string): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': type })
    for (const event of events) response.write(event)
    response.end()
  }
}

const sse = (events: readonly object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
const usage = { prompt_tokens: 3, completion_tokens: 4 }
const openAiAnswer = { choices: [{ message: { content: 'Hello you.' }, finish_reason: 'stop' }], usage }
const openAiEvents = [
  ...sse([
    { choices: [{ index: 0, delta: { content: 'Hello ' } }] },
    { choices: [{ index: 0, delta: { content: 'you.' }, finish_reason: 'stop' }], usage },
  ]),
  'data: [DONE]\n\n',
]
const openAiEmbedding = { data: [{ index: 0, embedding: [0.5, 0.25] }], usage: { prompt_tokens: 2 } }
const billed = { billed_units: { input_tokens: 3, output_tokens: 4 } }
const said = (text: string) => ({ delta: { message: { content: { text } } } })
const ollamaEnd = { done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 4 }

const geminiSaid = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 },
})
const gemini = {
  base: '',
  answer: geminiSaid('Hello you.', { finishReason: 'STOP' }),
  events: sse([geminiSaid('Hello '), geminiSaid('you.', { finishReason: 'STOP' })]),
  streamType: 'text/event-stream',
}
const vertexModel = '/v1/projects/acme-1/locations/eu/publishers/google/models/google_vertex-model'

export const kinds: Readonly<Record<string, Kind>> = {
  azure_openai: {
    settings: { deployment: 'prod', api_version: '2025-01-01-preview' },
    base: '',
    path: '/openai/deployments/prod/chat/completions?api-version=2025-01-01-preview',
    answer: openAiAnswer,
    events: openAiEvents,
    streamType: 'text/event-stream',
    models: {
      path: '/openai/models?api-version=2025-01-01-preview',
      body: { data: [{ id: 'gpt-4o-2024-08-06' }] },
      names: [],
    },
    embedding: openAiEmbedding,
  },
  mistral: {
    base: '/v1',
    path: '/v1/chat/completions',
    answer: openAiAnswer,
    events: openAiEvents,
    streamType: 'text/event-stream',
    models: { path: '/v1/models', body: { data: [{ id: 'mistral-large-2411' }] }, names: ['mistral-large-2411'] },
    embedding: openAiEmbedding,
  },
  cohere: {
    base: '',
    path: '/v2/chat',
    answer: {
      finish_reason: 'COMPLETE',
      message: { content: [{ type: 'text', text: 'Hello you.' }] },
      usage: billed,
    },
    events: sse([
      { type: 'message-start', id: 'x' },
      { type: 'content-delta', index: 0, ...said('Hello ') },
      { type: 'content-delta', index: 0, ...said('you.') },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: billed } },
    ]),
    streamType: 'text/event-stream',
    models: {
      path: '/v1/models?page_size=1000',
      body: { models: [{ name: 'command-a-03-2025', endpoints: ['chat'] }] },
      names: ['command-a-03-2025'],
    },
    embedding: { embeddings: { float: [[0.5, 0.25]] }, meta: { billed_units: { input_tokens: 2 } } },
  },
  ollama: {
    base: '',
    path: '/api/chat',
    answer: { model: 'm', message: { content: 'Hello you.' }, ...ollamaEnd },
    events: [
      { model: 'm', message: { content: 'Hello ' }, done: false },
      { model: 'm', message: { content: 'you.' }, done: false },
      { model: 'm', message: { content: '' }, ...ollamaEnd },
    ].map((line) => `${JSON.stringify(line)}\n`),
    streamType: 'application/x-ndjson',
    models: { path: '/api/tags', body: { models: [{ name: 'llama3.2:latest' }] }, names: ['llama3.2:latest'] },
    embedding: { model: 'm', embeddings: [[0.5, 0.25]], prompt_eval_count: 2 },
  },
  google_gemini: {
    ...gemini,
    path: '/v1beta/models/google_gemini-model:generateContent',
    streamPath: '/v1beta/models/google_gemini-model:streamGenerateContent?alt=sse',
    models: {
      path: '/v1beta/models?pageSize=1000',
      body: { models: [{ name: 'models/gemini-2.5-pro' }] },
      names: ['gemini-2.5-pro'],
    },
    embedding: { embeddings: [{ values: [0.5, 0.25] }], usageMetadata: { promptTokenCount: 2 } },
  },
  google_vertex: {
    ...gemini,
    settings: { project: 'acme-1', region: 'eu' },
    path: `${vertexModel}:generateContent`,
    streamPath: `${vertexModel}:streamGenerateContent?alt=sse`,
    models: {
      path: '/v1beta1/publishers/google/models?pageSize=300',
      body: { publisherModels: [{ name: 'publishers/google/models/gemini-2.5-pro' }] },
      names: ['gemini-2.5-pro'],
    },
    embedding: { predictions: [{ embeddings: { values: [0.5, 0.25], statistics: { token_count: 2 } } }] },
  },
  aws_bedrock: {
    settings: { region: 'eu-west-1' },
    base: '',
    path: '/model/aws_bedrock-model/converse',
    streamPath: '/model/aws_bedrock-model/converse-stream',
    answer: {
      output: { message: { role: 'assistant', content: [{ text: 'Hello you.' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    },
    events: [
      eventMessage('messageStart', { role: 'assistant' }),
      eventMessage('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hello ' } }),
      eventMessage('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'you.' } }),
      eventMessage('messageStop', { stopReason: 'end_turn' }),
    ],
    streamType: 'application/vnd.amazon.eventstream',
    models: {
      path: '/foundation-models?byInferenceType=ON_DEMAND',
      body: { modelSummaries: [{ modelId: 'amazon.nova-lite-v1:0' }] },
      names: ['amazon.nova-lite-v1:0'],
    },
    embedding: { embedding: [0.5, 0.25], inputTextTokenCount: 2 },
    embeds: 'aws_bedrock-amazon.titan-embed-text-v2:0',
  },
}
