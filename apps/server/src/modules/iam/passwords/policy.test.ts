import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../settings/settings.ts'
import { passwordRefusals, sampleForPassword } from './policy.ts'
import { passwordRules } from './rules.ts'

const context = ['ada.lovelace@analytical.example', 'Analytical Engines Ltd', 'analytical-engines']
const rules = passwordRules(defaultSettings, false)
const check = (password: string, current?: string) =>
  passwordRefusals({ password, breached: false, rules, context, ...(current === undefined ? {} : { current }) })

describe('refused', () => {
  test.each([
    ['fourteen chars', ['too_short']],
    ['x'.repeat(257), ['too_long', 'repeat']],
    ['abcdefghijklmnopq', ['sequence']],
    ['98765432109876543', ['sequence']],
    ['qwertyuiopasdfghj', ['sequence']],
    ['zyxwvutsrqponmlkj', ['sequence']],
    ['hunter2hunter2hunter2', ['repeat']],
    ['Analytical-Engines-2026', ['context']],
    ['4n4lyt1c4l-3ng1n3s!!', ['context']],
    ['ada.lovelace-Parapet', ['context']],
    ['ParapetPassword!1', ['context']],
  ])('%s because %j', async (password, reasons) => {
    expect(await check(password)).toEqual(reasons)
  })

  test('a password on the common list, in any case', async () => {
    // The list's most frequent entry; it is short as well.
    expect(await check('PassWord')).toContain('common')
  })

  test('the current password, also in another Unicode form', async () => {
    const composed = 'caf\u00e9 au lait at seven'
    expect(await check(composed, 'cafe\u0301 au lait at seven')).toEqual(['current'])
  })
})

test('what was stolen is refused beside every other reason', async () => {
  const stolen = { password: 'ada.lovelace-Parapet', breached: true, rules, context }
  expect(await passwordRefusals(stolen)).toEqual(['breached', 'context'])
})

describe('accepted', () => {
  test.each([
    'correct horse battery stapler 7',
    'seven green bottles hang',
    'パスワードは長いほうが安全です',
    '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦🐤🦆',
    'engines of creation roar',
  ])('%s', async (password) => {
    expect(await check(password)).toEqual([])
  })

  test('length counts code points, so fifteen emoji are fifteen', async () => {
    expect(await check('🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦🐤')).toEqual(['too_short'])
  })
})

test('any piece of up to eight characters, repeated, is refused', async () => {
  const piece = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.normalize('NFC') === text)
  await fc.assert(
    fc.asyncProperty(piece, async (text) => {
      const password = text.repeat(Math.ceil(16 / text.length) + 1)
      expect(await check(password)).toContain('repeat')
    }),
  )
})

test('C04 refuses the passwords of examples', async () => {
  for (const password of [sampleForPassword, 'A long passphrase of yours', 'correct horse battery staple'])
    expect(await check(password)).toContain('common')
})
