import { expect, test } from 'vitest'
import type { FilePart } from '../call.ts'
import { mapAudio, mapFile, mapImage } from './media-texts.ts'

function looking(replaced?: string) {
  const seen: [kind: string, text: string][] = []
  const look = (kind: string) => (_at: string, text: string) => {
    seen.push([kind, text])
    return replaced ?? text
  }
  return { seen, looks: { plain: look('plain'), fixed: look('fixed') } }
}

const file: FilePart = { type: 'file', source: null, name: null, mime: null, text: null }

test('bytes of a known type need no look', () => {
  const { seen, looks } = looking()
  const picture = { type: 'image', url: 'data:image/png;base64,AAAA', detail: null } as const
  const sound = { type: 'audio', source: { kind: 'data', data: 'AAAA' }, mime: 'audio/wav' } as const
  const pdf: FilePart = { ...file, source: { kind: 'data', data: 'AAAA' }, mime: 'application/pdf' }
  expect(mapImage(picture, '/a', looks)).toEqual(picture)
  expect(mapAudio(sound, '/a', looks)).toEqual(sound)
  expect(mapFile(pdf, '/a', looks)).toEqual(pdf)
  expect(seen).toEqual([])
})

test.each([
  ['audio/4111111111111111', '4111111111111111'],
  ['audio/wav;name=jane', 'wav;name=jane'],
  ['jane@example.org', 'jane@example.org'],
])('a type such as %s is read', (mime, text) => {
  const { seen, looks } = looking()
  mapAudio({ type: 'audio', source: { kind: 'data', data: 'AAAA' }, mime }, '/a', looks)
  mapFile({ ...file, source: { kind: 'data', data: 'AAAA' }, mime }, '/a', looks)
  expect(seen).toEqual([
    ['fixed', text],
    ['fixed', text],
  ])
})

test('what a picture’s address says beside its type is read, and its bytes stay', () => {
  const { seen, looks } = looking(';hidden')
  const url = 'data:image/png;name=jane@example.org;base64,AAAA'
  expect(mapImage({ type: 'image', url, detail: null }, '/a', looks).url).toBe('data:image/png;hidden,AAAA')
  expect(seen).toEqual([['fixed', ';name=jane@example.org;base64']])
})

test('the id of a kept file is read where no vendor makes such', () => {
  const { seen, looks } = looking()
  for (const id of ['file-0PV2ndaIKHZCV1jdPxQ4vaPY', 'jane@example.org'])
    mapFile({ ...file, source: { kind: 'id', id, form: 'openai_chat' } }, '/a', looks)
  expect(seen).toEqual([['fixed', 'jane@example.org']])
})
