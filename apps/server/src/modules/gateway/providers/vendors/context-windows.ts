/**
 * Maximum context of models in tokens, as their vendors document. Only models whose window is certain as of their
 * publication; a model that is not listed is asked and may refuse by itself. Tested in context-windows.test.ts.
 */
import { matchesGlob } from '../../words/globs.ts'
import type { ProviderKind } from '../../words/provider-kinds.ts'

interface Window {
  readonly kind: string
  /** The first pattern that fits counts. */
  readonly model: string
  readonly tokens: number
}

const windows: readonly Window[] = [
  { kind: 'openai', model: 'gpt-4.1*', tokens: 1_047_576 },
  { kind: 'openai', model: 'gpt-4o*', tokens: 128_000 },
  { kind: 'openai', model: 'gpt-4-turbo*', tokens: 128_000 },
  { kind: 'openai', model: 'gpt-4-32k*', tokens: 32_768 },
  { kind: 'openai', model: 'gpt-4', tokens: 8192 },
  { kind: 'openai', model: 'gpt-4-0613', tokens: 8192 },
  { kind: 'openai', model: 'gpt-3.5-turbo*', tokens: 16_385 },
  { kind: 'openai', model: 'o1-mini*', tokens: 128_000 },
  { kind: 'openai', model: 'o1*', tokens: 200_000 },
  { kind: 'openai', model: 'o3*', tokens: 200_000 },
  { kind: 'openai', model: 'o4-mini*', tokens: 200_000 },
  { kind: 'anthropic', model: 'claude-3*', tokens: 200_000 },
  { kind: 'google_gemini', model: 'gemini-2.5*', tokens: 1_048_576 },
  { kind: 'google_vertex', model: 'gemini-2.5*', tokens: 1_048_576 },
  { kind: 'aws_bedrock', model: '*anthropic.claude-3*', tokens: 200_000 },
  { kind: 'aws_bedrock', model: '*amazon.nova-micro-v1:0', tokens: 128_000 },
  { kind: 'aws_bedrock', model: '*amazon.nova-lite-v1:0', tokens: 300_000 },
  { kind: 'aws_bedrock', model: '*amazon.nova-pro-v1:0', tokens: 300_000 },
  { kind: 'mistral', model: 'mistral-large-2411', tokens: 131_072 },
  { kind: 'cohere', model: 'command-a-03-2025', tokens: 256_000 },
]

/** Null when unknown here. */
export function contextWindow(kind: ProviderKind, model: string): number | null {
  return windows.find((window) => window.kind === kind && matchesGlob(window.model, model))?.tokens ?? null
}
