import { callFields, type FieldTable } from '../../../call/fields.ts'

/**
 * Fields that are not native to `generateContent`. The vendor keeps no answers to come back to, and caches prompts on
 * its own.
 */
export const geminiFields = {
  ...(Object.fromEntries(callFields.map((name) => [name, 'native'])) as Record<keyof FieldTable, 'native'>),
  '/messages': 'translated',
  '/messages/name': 'unsupported',
  '/messages/tool_error': 'translated',
  '/messages/content/image_url': 'translated',
  '/messages/content/image_url/detail': 'unsupported',
  '/messages/content/audio': 'translated',
  '/messages/content/audio_url': 'translated',
  '/messages/content/file': 'translated',
  '/messages/content/file_url': 'translated',
  '/messages/content/file/filename': 'emulated',
  '/messages/content/reasoning': 'translated',
  '/max_tokens': 'translated',
  '/n': 'translated',
  '/stop': 'translated',
  '/logprobs': 'translated',
  '/top_logprobs': 'translated',
  '/tools': 'translated',
  '/tools/strict': 'translated',
  '/tool_choice': 'translated',
  '/parallel_tool_calls': 'unsupported',
  '/response_format': 'translated',
  '/reasoning/effort': 'translated',
  '/reasoning/budget_tokens': 'translated',
  '/user': 'emulated',
  '/store': 'emulated',
  '/metadata': 'emulated',
  '/service_tier': 'unsupported',
  '/cache_control': 'emulated',
} as const satisfies FieldTable

/** Signs and length of names of functions. */
export const geminiNames = { sign: /[A-Za-z0-9_.:-]/, longest: 64 } as const
