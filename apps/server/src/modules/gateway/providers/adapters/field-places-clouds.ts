/** Test data: where the kinds of Google and Amazon must get each field. Used by adapters.test.ts. */
import { type Places, schema } from './field-uses.ts'

const declared = { name: 'f', description: 'does', parametersJsonSchema: schema }
const fileAt = (mimeType: string, name: string) => ({ fileData: { mimeType, fileUri: `https://example.org/${name}` } })

export const gemini: Places = {
  '/messages': ['/contents/0', { role: 'user', parts: [{ text: 'Hi' }] }],
  '/messages/content/image_url': ['/contents/0/parts/1', { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
  '/messages/content/audio': ['/contents/0/parts/1', { inlineData: { mimeType: 'audio/wav', data: 'BBBB' } }],
  '/messages/content/audio_url': ['/contents/0/parts/1', fileAt('audio/wav', 'a.wav')],
  '/messages/tool_error': [
    '/contents/2/parts/0/functionResponse',
    { id: 'abcdefgh1', name: 'f', response: { error: 'no' } },
  ],
  // Its name is part 1.
  '/messages/content/file': ['/contents/0/parts/2', { inlineData: { mimeType: 'application/pdf', data: 'CCCC' } }],
  '/messages/content/file_url': ['/contents/0/parts/2', fileAt('application/pdf', 'a.pdf')],
  '/messages/content/file/filename': ['/contents/0/parts/1', { text: 'File: a.pdf' }],
  '/messages/content/reasoning': ['/contents/1/parts/0', { text: 'hm', thought: true }],
  '/temperature': ['/generationConfig/temperature', 0.5],
  '/top_p': ['/generationConfig/topP', 0.9],
  '/top_k': ['/generationConfig/topK', 7],
  '/frequency_penalty': ['/generationConfig/frequencyPenalty', 0.3],
  '/presence_penalty': ['/generationConfig/presencePenalty', 0.4],
  '/max_tokens': ['/generationConfig/maxOutputTokens', 99],
  '/n': ['/generationConfig/candidateCount', 2],
  '/seed': ['/generationConfig/seed', 5],
  '/stop': ['/generationConfig/stopSequences', ['END']],
  '/logprobs': ['/generationConfig/responseLogprobs', true],
  '/top_logprobs': ['/generationConfig/logprobs', 3],
  '/tools': ['/tools', [{ functionDeclarations: [declared] }]],
  '/tools/strict': ['/toolConfig/functionCallingConfig', { mode: 'VALIDATED' }],
  '/tool_choice': ['/toolConfig/functionCallingConfig', { mode: 'ANY', allowedFunctionNames: ['f'] }],
  '/response_format': ['/generationConfig', { responseMimeType: 'application/json', responseJsonSchema: schema }],
  '/reasoning/effort': ['/generationConfig/thinkingConfig', { includeThoughts: true, thinkingBudget: 24_576 }],
  '/reasoning/budget_tokens': ['/generationConfig/thinkingConfig', { includeThoughts: true, thinkingBudget: 2000 }],
  '/user': null,
  '/store': null,
  '/metadata': null,
  '/cache_control': null,
}

export const bedrock: Places = {
  '/messages': ['/messages/0', { role: 'user', content: [{ text: 'Hi' }] }],
  '/messages/content/image_url': ['/messages/0/content/1/image', { format: 'png', source: { bytes: 'AAAA' } }],
  '/messages/content/file': [
    '/messages/0/content/1/document',
    { format: 'pdf', name: 'a-pdf', source: { bytes: 'CCCC' } },
  ],
  '/messages/tool_error': [
    '/messages/2/content/0/toolResult',
    { toolUseId: 'abcdefgh1', content: [{ text: 'no' }], status: 'error' },
  ],
  // The vendor takes no dots.
  '/messages/content/file/filename': ['/messages/0/content/1/document/name', 'a-pdf'],
  '/messages/content/reasoning': [
    '/messages/1/content/0/reasoningContent',
    { reasoningText: { text: 'hm', signature: 's' } },
  ],
  '/temperature': ['/inferenceConfig/temperature', 0.5],
  '/top_p': ['/inferenceConfig/topP', 0.9],
  '/top_k': ['/additionalModelRequestFields', { top_k: 7 }],
  '/max_tokens': ['/inferenceConfig/maxTokens', 99],
  '/stop': ['/inferenceConfig/stopSequences', ['END']],
  '/tools': ['/toolConfig/tools', [{ toolSpec: { name: 'f', description: 'does', inputSchema: { json: schema } } }]],
  '/tools/strict': [
    '/toolConfig/tools',
    [{ toolSpec: { name: 'f', description: 'does', inputSchema: { json: schema }, strict: true } }],
  ],
  '/tool_choice': ['/toolConfig/toolChoice', { tool: { name: 'f' } }],
  '/response_format': [
    '/outputConfig/textFormat',
    { type: 'json_schema', structure: { jsonSchema: { name: 'out', schema: JSON.stringify(schema) } } },
  ],
  '/reasoning/effort': ['/additionalModelRequestFields', { reasoning_effort: 'high' }],
  '/reasoning/budget_tokens': ['/additionalModelRequestFields', { thinking: { type: 'enabled', budget_tokens: 2000 } }],
  '/user': null,
  '/store': null,
  '/metadata': null,
  // `auto` is the default, so it is not sent.
  '/service_tier': null,
  '/cache_control': ['/messages/0/content/1', { cachePoint: { type: 'default', ttl: '1h' } }],
}
