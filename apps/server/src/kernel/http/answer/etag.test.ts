import { expect, test } from 'vitest'
import { etagOf, expectVersion, matchesEtag } from './etag.ts'

test('If-Match compares the version and ignores the digest', () => {
  expect(() => expectVersion(etagOf(3, 'body'), 3)).not.toThrow()
  expect(() => expectVersion(etagOf(3, 'another body'), 3)).not.toThrow()
  expect(() => expectVersion(`"1-x", ${etagOf(3, '')}`, 3)).not.toThrow()
  expect(() => expectVersion(undefined, 3)).not.toThrow()
  expect(() => expectVersion('*', 3)).not.toThrow()
})

test.each([etagOf(2, 'body'), '"3"', 'W/"3-x"', 'nonsense', ''])('If-Match %s does not match version 3', (tag) => {
  expect(() => expectVersion(tag, 3)).toThrow(expect.objectContaining({ code: 'API-012' }))
})

test('If-None-Match compares the whole tag, weakly', () => {
  const tag = etagOf(1, 'body')
  expect(matchesEtag(tag, tag)).toBe(true)
  expect(matchesEtag(`W/${tag}, "x"`, tag)).toBe(true)
  expect(matchesEtag(etagOf(1, 'changed'), tag)).toBe(false)
  expect(matchesEtag(undefined, tag)).toBe(false)
  expect(matchesEtag(tag, `W/${tag}`)).toBe(true)
  expect(matchesEtag(`W/${tag}`, `W/${tag}`)).toBe(true)
})
