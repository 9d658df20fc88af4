/** Test data: where OpenAI's Responses must get each field of the canonical call. Used by adapters.test.ts. */
import { type Places, png, schema } from './field-uses.ts'

export const openAiResponses: Places = {
  '/messages': ['/input/0', { type: 'message', role: 'user', content: 'Hi' }],
  '/messages/tool_error': [
    '/input/2',
    { type: 'function_call_output', call_id: 'abcdefgh1', output: 'The tool failed: no' },
  ],
  '/messages/content/image_url/detail': ['/input/0/content/1', { type: 'input_image', image_url: png, detail: 'high' }],
  '/messages/content/file/filename': ['/input/0/content/1/filename', 'a.pdf'],
  '/messages/content/image_url': ['/input/0/content/1', { type: 'input_image', image_url: png }],
  '/messages/content/file': [
    '/input/0/content/1',
    { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,CCCC' },
  ],
  '/messages/content/file_url': [
    '/input/0/content/1',
    { type: 'input_file', filename: 'a.pdf', file_url: 'https://example.org/a.pdf' },
  ],
  // Another vendor's thinking may be left out.
  '/messages/content/reasoning': ['/input/1', { type: 'message', role: 'assistant', content: 'so' }],
  '/temperature': ['/temperature', 0.5],
  '/top_p': ['/top_p', 0.9],
  '/max_tokens': ['/max_output_tokens', 99],
  '/logprobs': ['/include', ['message.output_text.logprobs']],
  '/top_logprobs': ['/top_logprobs', 3],
  '/tools': ['/tools', [{ type: 'function', name: 'f', description: 'does', parameters: schema, strict: null }]],
  '/tools/strict': ['/tools', [{ type: 'function', name: 'f', description: 'does', parameters: schema, strict: true }]],
  '/tool_choice': ['/tool_choice', { type: 'function', name: 'f' }],
  '/parallel_tool_calls': ['/parallel_tool_calls', false],
  '/response_format': ['/text/format', { type: 'json_schema', name: 'out', schema }],
  '/reasoning/effort': ['/reasoning/effort', 'high'],
  '/reasoning/budget_tokens': ['/reasoning/effort', 'medium'],
  '/user': ['/user', 'u-1'],
  '/store': ['/store', false],
  '/metadata': null,
  '/service_tier': ['/service_tier', 'auto'],
  '/cache_control': null,
}
