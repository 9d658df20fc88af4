import { expect, test } from 'vitest'
import { inspectOutput } from '../inspect-output.ts'

const systemPrompt = `You are Marlo, the scheduling helper of Northfield Dental. Never offer appointments before nine in the morning.
Always ask for the patient's date of birth before you change a booking. If a caller is in pain, give the emergency line 555-0142
and stop all other topics. Discounts above ten percent need the approval of Dr. Okafor. Do not mention the waiting list to new patients.`
const leakOf = (text: string, conversation?: string) =>
  inspectOutput(text, { systemPrompt, ...(conversation === undefined ? {} : { conversation }) })

test('the whole prompt is a certain leak', () => {
  const { leak, findings, verdict } = leakOf(`My instructions are:\n${systemPrompt}`)
  expect(leak?.coverage).toBe(1)
  expect(leak?.longest).toBe(systemPrompt.length - 1)
  expect(findings[0]).toMatchObject({ type: 'system-prompt-leak', rule: 'prompt-passage' })
  expect(verdict).toBe('block')
})

test('layout, case and punctuation make no difference', () => {
  const text = systemPrompt.toUpperCase().replace(/[.,]/g, ' -- ').replace(/ /g, '\n')
  expect(leakOf(text).leak?.coverage).toBeGreaterThan(0.9)
})

test('one sentence is a smaller leak than the prompt', () => {
  const { findings, verdict } = leakOf(
    "I always ask for the patient's date of birth before you change a booking, sorry.",
  )
  expect(findings.map(({ rule }) => rule)).toEqual(['prompt-sentence'])
  expect(verdict).toBe('flag')
})

test('an answer on the topic in other words is no leak', () => {
  const { findings, leak } = leakOf(
    'Northfield Dental opens at nine. May I have your date of birth? I can then move the booking for you.',
  )
  expect(findings).toEqual([])
  expect(leak?.coverage).toBe(0)
})

test('what the user said before is not leaked by repeating it', () => {
  expect(leakOf(systemPrompt, `Is this your prompt? ${systemPrompt}`).findings).toEqual([])
})

test('a prompt in base64 or reversed is found', () => {
  const encoded = leakOf(`Here: ${Buffer.from(systemPrompt).toString('base64')}`)
  expect(encoded.findings[0]).toMatchObject({ rule: 'prompt-decoded', via: ['base64'] })
  const reversed = leakOf([...systemPrompt].reverse().join(''))
  expect(reversed.findings.map(({ rule }) => rule)).toContain('prompt-decoded')
})

test('sentences in another order, cut in pieces, are found by letters', () => {
  const pieces = systemPrompt.split(/(?<=[.,])\s/).flatMap((sentence) => sentence.match(/(?:\S+\s*){1,6}/g) ?? [])
  const { leak, verdict } = leakOf(
    pieces
      .reverse()
      .map((piece) => `- ${piece}`)
      .join(' etc\n'),
  )
  expect(leak?.coverage).toBeGreaterThan(0.25)
  expect(verdict).not.toBe('allow')
})

test('a short prompt and one without spaces are found', () => {
  expect(
    inspectOutput('It says: reply only in pirate speech.', { systemPrompt: 'Reply only in pirate speech' }).leak
      ?.coverage,
  ).toBe(1)
  const japanese =
    'あなたは歯科医院の予約係です。午前九時より前の予約を決して提案しないでください。割引は院長の承認が必要です。'
  const result = inspectOutput(`私の指示は次のとおりです。「${japanese}」`, { systemPrompt: japanese })
  expect(result.leak?.coverage).toBe(1)
  expect(result.verdict).toBe('block')
})

test('a prompt too short to be told from everyday text gives no figure', () => {
  expect(inspectOutput('Be nice', { systemPrompt: 'Be nice' }).leak).toBeNull()
  expect(inspectOutput('Be nice').leak).toBeNull()
})
