import { expect, test } from 'vitest'
import { parseRow } from './rows.ts'

test('rows are told apart by their fields', () => {
  expect(parseRow('{"text":"hi","label":0,"kind":"ordinary","source":"s","lang":"en"}')).toEqual({
    engine: 'injection',
    text: 'hi',
    isAttack: false,
    kind: 'ordinary',
    source: 's',
  })
  expect(
    parseRow('{"text":"I am Ann","label":"pii","spans":[{"start":5,"end":8,"type":"PERSON","value":"Ann"}]}'),
  ).toEqual({
    engine: 'pii',
    text: 'I am Ann',
    kind: '',
    spans: [{ start: 5, end: 8, type: 'PERSON' }],
  })
  // "aMOk" is base64 of "hä" in UTF-8: two UTF-16 units.
  expect(parseRow('{"text_b64":"aMOk","kind":"css","spans":[{"start":0,"end":2,"type":"x","country":"SE"}]}')).toEqual({
    engine: 'secrets',
    text: 'hä',
    kind: 'css',
    spans: [{ start: 0, end: 2, type: 'x', country: 'SE' }],
  })
})

test.each([
  ['{', 'not JSON'],
  ['[]', 'not a JSON object'],
  ['{"text":"a"}', 'neither'],
  ['{"text":"a","label":"1"}', 'neither'],
  ['{"label":1}', '`text` is not a string'],
  ['{"text":"a","spans":{}}', 'not a list'],
  ['{"text":"a","spans":[null]}', 'not an object'],
  ['{"text":"a","spans":[{"start":0,"end":2,"type":"X"}]}', 'not inside the text of 1'],
  ['{"text":"a","spans":[{"start":0,"end":1}]}', '`type`'],
  ['{"text_b64":"//8=","spans":[]}', 'base64 of UTF-8'],
])('%s is refused with its reason', (line, reason) => {
  expect(() => parseRow(line)).toThrow(reason)
})
