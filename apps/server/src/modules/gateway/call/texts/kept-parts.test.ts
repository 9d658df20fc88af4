import { expect, test } from 'vitest'
import type { VendorExtra } from '../call.ts'
import { keptParts } from './kept-parts.ts'

const kept = (at: string, value: unknown, form: VendorExtra['form'] = 'anthropic_messages') =>
  keptParts({ extra: [{ at, form, value }] })
const none = { mime: null, data: null, remote: false }

test.each([
  [
    '/messages/0/content/1',
    { type: 'image', source: { type: 'url', url: 'https://example.org/a.png', x: 1 } },
    { remote: true },
  ],
  [
    '/messages/0/content/1',
    { type: 'image', source: { type: 'base64', media_type: 'image/PNG', data: 'iVBO', x: 1 } },
    { mime: 'image/png', data: 'iVBO' },
  ],
  ['/messages/0/content/0', { type: 'container_upload', file_id: 'f' }, {}],
  ['/messages/0/content/0', { type: 'video_url', video_url: { url: 'https://example.org/a.mp4' } }, { remote: true }],
  [
    '/messages/0/content/0',
    { type: 'input_video', input_video: 'data:video/mp4;base64,AAAA' },
    { mime: 'video/mp4', data: 'AAAA' },
  ],
  ['/messages/1/audio', { id: 'audio_1' }, {}],
  ['/input/0/content/0', { type: 'input_image', file_id: 'f' }, {}],
])('%s %j is media', (at, value, facts) => {
  expect(kept(at, value)).toMatchObject([{ location: at, media: { ...none, ...facts } }])
})

test.each([
  ['/input/0', { type: 'item_reference', id: 'i' }],
  ['/prompt', { id: 'p' }],
])('%s %j is text that the provider keeps', (at, value) => {
  expect(kept(at, value, 'openai_responses')).toMatchObject([{ location: at, media: null }])
})

test.each([
  ['/messages/0/content/0', { type: 'web_search_tool_result', content: [{ url: 'https://example.org' }] }],
  ['/messages/0/content/0', { type: 'server_tool_use', name: 'web_search', input: {} }],
  ['/input/1', { type: 'file_search_call', queries: ['a'] }],
  ['/messages/0/content/0/citations', { enabled: true }],
  ['/audio', 'alloy'],
  ['/user_id', 'x'],
])('%s %j is read like any text', (at, value) => {
  expect(kept(at, value)).toEqual([])
})
