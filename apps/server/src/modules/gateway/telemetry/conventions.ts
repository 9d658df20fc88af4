/**
 * Names of the OpenTelemetry semantic conventions for generative AI, as of the version in kernel/observe/otel; they are
 * still in development there, so they stand here and nowhere else. Held against the published list in
 * conventions.test.ts. https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
import type { HistogramForm } from '../../../kernel/observe/otel/port.ts'
import type { Provider } from '../providers/provider.ts'
import { addressOf } from '../providers/vendors/registry.ts'
import type { Operation } from '../words/operations.ts'
import type { ProviderKind } from '../words/provider-kinds.ts'

export const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  choices: 'gen_ai.request.choice.count',
  seed: 'gen_ai.request.seed',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  topK: 'gen_ai.request.top_k',
  maxTokens: 'gen_ai.request.max_tokens',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  presencePenalty: 'gen_ai.request.presence_penalty',
  encodings: 'gen_ai.request.encoding_formats',
  dimensions: 'gen_ai.embeddings.dimension.count',
  outputType: 'gen_ai.output.type',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  tokenType: 'gen_ai.token.type',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  errorType: 'error.type',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  method: 'http.request.method',
  statusCode: 'http.response.status_code',
  resendCount: 'http.request.resend_count',
} as const

/** With the bucket boundaries the conventions ask for. */
export const histograms = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    description: 'GenAI operation duration.',
    boundaries: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    boundaries: [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
  },
  firstToken: {
    name: 'gen_ai.server.time_to_first_token',
    unit: 's',
    description: 'Time to generate first token for successful responses.',
    boundaries: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  perToken: {
    name: 'gen_ai.server.time_per_output_token',
    unit: 's',
    description: 'Time per output token generated after the first token for successful responses.',
    boundaries: [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5],
  },
} as const satisfies Record<string, HistogramForm>

/** The conventions know two of our operations; the vendors' forms of a conversation are all a chat. */
export function operationName(operation: Operation): string {
  return operation === 'embeddings' || operation === 'rerank' ? operation : 'chat'
}

const providerNames: Readonly<Record<ProviderKind, string>> = {
  echo: 'parapet.echo',
  openai: 'openai',
  openai_compatible: 'openai_compatible',
  anthropic: 'anthropic',
  azure_openai: 'azure.ai.openai',
  mistral: 'mistral_ai',
  cohere: 'cohere',
  ollama: 'ollama',
  google_gemini: 'gcp.gemini',
  google_vertex: 'gcp.vertex_ai',
  aws_bedrock: 'aws.bedrock',
}

/** Vendors that speak the form of another and have a name of their own in the conventions. */
const compatibleNames: Readonly<Record<string, string>> = {
  'api.groq.com': 'groq',
  'api.deepseek.com': 'deepseek',
  'api.x.ai': 'x_ai',
  'api.perplexity.ai': 'perplexity',
}

export function providerName(provider: Provider): string {
  const own = provider.kind === 'openai_compatible' ? compatibleNames[hostOf(provider)?.address ?? ''] : undefined
  return own ?? providerNames[provider.kind]
}

export interface Host {
  readonly address: string
  readonly port: number
}

/** Null for a provider inside this process. */
export function hostOf(provider: Provider): Host | null {
  const address = addressOf(provider)
  if (address === null || !URL.canParse(address)) return null
  const { hostname, port, protocol } = new URL(address)
  return { address: hostname, port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) }
}
