import { callFields, type FieldTable } from '../../../call/fields.ts'

/** What is not native to `generateContent`, by field. It keeps no answers to come back to, and caches prompts without being told. */
export const geminiFields = {
  ...(Object.fromEntries(callFields.map((name) => [name, 'native'])) as Record<keyof FieldTable, 'native'>),
  '/messages': 'translated',
  '/messages/name': 'unsupported',
  '/messages/content/image_url': 'translated',
  '/messages/content/audio': 'translated',
  '/messages/content/audio_url': 'translated',
  '/messages/content/file': 'translated',
  '/messages/content/file_url': 'translated',
  '/messages/content/reasoning': 'translated',
  '/max_tokens': 'translated',
  '/n': 'translated',
  '/stop': 'translated',
  '/logprobs': 'translated',
  '/top_logprobs': 'translated',
  '/tools': 'translated',
  '/tool_choice': 'translated',
  '/parallel_tool_calls': 'unsupported',
  '/response_format': 'translated',
  '/reasoning/effort': 'translated',
  '/reasoning/budget_tokens': 'translated',
  '/user': 'unsupported',
  '/store': 'emulated',
  '/service_tier': 'unsupported',
  '/cache_control': 'emulated',
} as const satisfies FieldTable
