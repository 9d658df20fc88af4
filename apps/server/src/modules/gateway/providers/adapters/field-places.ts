/** Test data: where each kind of provider must get each field of the canonical call. Used by adapters.test.ts. */
import { bedrock, gemini } from './field-places-clouds.ts'
import { type Places, png, schema } from './field-uses.ts'

const failed = 'The tool failed: no'
const strictTool = { type: 'function', function: { name: 'f', description: 'does', parameters: schema, strict: true } }
const functionTool = { type: 'function', function: { name: 'f', description: 'does', parameters: schema } }

const openAi: Places = {
  '/messages': ['/messages/0', { role: 'user', content: 'Hi' }],
  '/messages/name': ['/messages/0/name', 'anna'],
  '/messages/tool_error': ['/messages/2', { role: 'tool', tool_call_id: 'abcdefgh1', content: failed }],
  '/messages/content/image_url': ['/messages/0/content/1', { type: 'image_url', image_url: { url: png } }],
  '/messages/content/image_url/detail': ['/messages/0/content/1/image_url', { url: png, detail: 'high' }],
  '/messages/content/audio': ['/messages/0/content/1/input_audio', { data: 'BBBB', format: 'wav' }],
  '/messages/content/file': [
    '/messages/0/content/1/file',
    { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CCCC' },
  ],
  '/messages/content/file/filename': ['/messages/0/content/1/file/filename', 'a.pdf'],
  // The vendor has no member for it.
  '/messages/content/reasoning': ['/messages/1', { role: 'assistant', content: 'so' }],
  '/temperature': ['/temperature', 0.5],
  '/top_p': ['/top_p', 0.9],
  '/frequency_penalty': ['/frequency_penalty', 0.3],
  '/presence_penalty': ['/presence_penalty', 0.4],
  '/max_tokens': ['/max_completion_tokens', 99],
  '/n': ['/n', 2],
  '/seed': ['/seed', 5],
  '/stop': ['/stop', ['END']],
  '/logprobs': ['/logprobs', true],
  '/top_logprobs': ['/top_logprobs', 3],
  '/tools': ['/tools', [functionTool]],
  '/tools/strict': ['/tools', [strictTool]],
  '/tool_choice': ['/tool_choice', { type: 'function', function: { name: 'f' } }],
  '/parallel_tool_calls': ['/parallel_tool_calls', false],
  '/response_format': ['/response_format', { type: 'json_schema', json_schema: { name: 'out', schema } }],
  '/reasoning/effort': ['/reasoning_effort', 'high'],
  '/reasoning/budget_tokens': ['/reasoning_effort', 'medium'],
  '/user': ['/user', 'u-1'],
  '/store': ['/store', false],
  '/metadata': null,
  '/service_tier': ['/service_tier', 'auto'],
  '/cache_control': null,
}

const anthropic: Places = {
  '/messages': ['/messages/0', { role: 'user', content: 'Hi' }],
  '/messages/tool_error': [
    '/messages/2/content',
    [{ type: 'tool_result', tool_use_id: 'abcdefgh1', content: 'no', is_error: true }],
  ],
  '/messages/content/image_url': [
    '/messages/0/content/1/source',
    { type: 'base64', media_type: 'image/png', data: 'AAAA' },
  ],
  '/messages/content/file': [
    '/messages/0/content/1/source',
    { type: 'base64', media_type: 'application/pdf', data: 'CCCC' },
  ],
  '/messages/content/file_url': ['/messages/0/content/1/source', { type: 'url', url: 'https://example.org/a.pdf' }],
  '/messages/content/file/filename': ['/messages/0/content/1/title', 'a.pdf'],
  '/messages/content/reasoning': ['/messages/1/content/0', { type: 'thinking', thinking: 'hm', signature: 's' }],
  '/temperature': ['/temperature', 0.5],
  '/top_p': ['/top_p', 0.9],
  '/top_k': ['/top_k', 7],
  '/max_tokens': ['/max_tokens', 99],
  '/stop': ['/stop_sequences', ['END']],
  '/tools': ['/tools', [{ name: 'f', description: 'does', input_schema: schema }]],
  '/tools/strict': ['/tools', [{ name: 'f', description: 'does', input_schema: schema, strict: true }]],
  '/tool_choice': ['/tool_choice', { type: 'tool', name: 'f' }],
  '/parallel_tool_calls': ['/tool_choice', { type: 'auto', disable_parallel_tool_use: true }],
  '/response_format': ['/output_config/format', { type: 'json_schema', schema }],
  '/reasoning/effort': ['/output_config/effort', 'high'],
  '/reasoning/budget_tokens': ['/thinking', { type: 'enabled', budget_tokens: 2000 }],
  '/user': ['/metadata/user_id', 'u-1'],
  '/store': null,
  '/metadata': null,
  '/service_tier': ['/service_tier', 'auto'],
  '/cache_control': ['/messages/0/content/0/cache_control', { type: 'ephemeral', ttl: '1h' }],
}

const mistral: Places = {
  ...openAi,
  '/messages/content/audio': ['/messages/0/content/1', { type: 'input_audio', input_audio: 'BBBB' }],
  '/messages/content/audio_url': [
    '/messages/0/content/1',
    { type: 'input_audio', input_audio: 'https://example.org/a.wav' },
  ],
  '/messages/content/file_url': [
    '/messages/0/content/1',
    { type: 'document_url', document_url: 'https://example.org/a.pdf', document_name: 'a.pdf' },
  ],
  // Names travel with addresses only; files as bytes are refused.
  '/messages/content/file/filename': ['/messages/0/content/1/document_name', 'a.pdf'],
  '/messages/content/reasoning': [
    '/messages/1/content/0',
    { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
  ],
  '/max_tokens': ['/max_tokens', 99],
  // It thinks or it does not.
  '/reasoning/budget_tokens': ['/reasoning_effort', 'high'],
  '/user': null,
  '/seed': ['/random_seed', 5],
  '/store': null,
}

const cohere: Places = {
  '/messages': ['/messages/0', { role: 'user', content: 'Hi' }],
  '/messages/tool_error': ['/messages/2', { role: 'tool', tool_call_id: 'abcdefgh1', content: failed }],
  '/messages/content/image_url/detail': ['/messages/0/content/1/image_url', { url: png, detail: 'high' }],
  '/messages/content/image_url': ['/messages/0/content/1', { type: 'image_url', image_url: { url: png } }],
  '/messages/content/reasoning': ['/messages/1/content/0', { type: 'thinking', thinking: 'hm' }],
  '/temperature': ['/temperature', 0.5],
  '/top_p': ['/p', 0.9],
  '/top_k': ['/k', 7],
  '/frequency_penalty': ['/frequency_penalty', 0.3],
  '/presence_penalty': ['/presence_penalty', 0.4],
  '/max_tokens': ['/max_tokens', 99],
  '/seed': ['/seed', 5],
  '/stop': ['/stop_sequences', ['END']],
  '/tools': ['/tools', [functionTool]],
  '/tools/strict': ['/strict_tools', true],
  // The other tool is not shown.
  '/tool_choice': ['/tools', [functionTool]],
  '/response_format': ['/response_format', { type: 'json_object', json_schema: schema }],
  '/reasoning/effort': ['/thinking', { type: 'enabled' }],
  '/reasoning/budget_tokens': ['/thinking', { type: 'enabled', token_budget: 2000 }],
  '/user': null,
  '/store': null,
  '/metadata': null,
  '/cache_control': null,
}

const ollama: Places = {
  '/messages': ['/messages/0', { role: 'user', content: 'Hi' }],
  '/messages/tool_error': ['/messages/2', { role: 'tool', content: failed, tool_name: 'f', tool_call_id: 'abcdefgh1' }],
  '/messages/content/image_url': ['/messages/0/images', ['AAAA']],
  '/messages/content/reasoning': ['/messages/1/thinking', 'hm'],
  '/temperature': ['/options/temperature', 0.5],
  '/top_p': ['/options/top_p', 0.9],
  '/top_k': ['/options/top_k', 7],
  '/frequency_penalty': ['/options/frequency_penalty', 0.3],
  '/presence_penalty': ['/options/presence_penalty', 0.4],
  '/max_tokens': ['/options/num_predict', 99],
  '/seed': ['/options/seed', 5],
  '/stop': ['/options/stop', ['END']],
  '/logprobs': ['/logprobs', true],
  '/top_logprobs': ['/top_logprobs', 3],
  '/tools': ['/tools', [functionTool]],
  '/response_format': ['/format', schema],
  '/reasoning/effort': ['/think', 'high'],
  '/user': null,
  '/store': null,
  '/metadata': null,
  '/cache_control': null,
}

export const placesOf = {
  openai: openAi,
  openai_compatible: {
    ...openAi,
    '/messages/content/reasoning': ['/messages/1/reasoning_content', 'hm'],
    '/max_tokens': ['/max_tokens', 99],
    '/store': null,
  },
  azure_openai: { ...openAi, '/store': null },
  anthropic,
  mistral,
  cohere,
  ollama,
  google_gemini: gemini,
  google_vertex: gemini,
  aws_bedrock: bedrock,
} as const satisfies Readonly<Record<string, Places>>
