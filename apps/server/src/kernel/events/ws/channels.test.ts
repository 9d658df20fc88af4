import Type from 'typebox'
import { expect, test } from 'vitest'
import { defineEvent } from '../catalogue/catalogue.ts'
import { catalogueOf } from './channels.ts'

test('a catalogue finds a definition by its channel', () => {
  const event = defineEvent({ channel: 'svc_ai.chat.ended', type: 'ChatEnded', summary: '', schema: Type.Object({}) })
  expect(catalogueOf([event]).get('svc_ai.chat.ended')?.readers).toEqual(['svc-ai'])
})
