import { describe, expect, test } from 'vitest'
import { guardOf } from './guard.ts'

const same = (a: string, b: string): boolean => {
  const [one, other] = [guardOf(a), guardOf(b)]
  return one !== null && other !== null && JSON.stringify(one) === JSON.stringify(other)
}

describe('the guard lets pass', () => {
  test.each([
    ['How do I reset my password?', 'How can I reset the password?'],
    ['Please explain recursion', 'Explain recursion, please.'],
    ['What is the capital of France?', 'Tell me what the capital of France is'],
    ['Convert 5 km', 'Please convert 5 km!'],
  ])('%j as %j', (a, b) => {
    expect(same(a, b)).toBe(true)
  })
})

describe('the guard tells apart', () => {
  test.each([
    ['numbers', 'What is 5 percent of my pay?', 'What is 6 percent of my pay?'],
    ['numbers in words', 'Name two large cities', 'Name three large cities'],
    ['dates', 'What happened on 2024-05-01 here?', 'What happened on 2024-05-02 here?'],
    ['days', 'Are you open on monday?', 'Are you open on tuesday?'],
    ['negations', 'Which drugs are safe for me?', 'Which drugs are not safe for me?'],
    ['what is negated', 'Do not delete it but archive it', 'Delete it but do not archive it'],
    ['contractions', 'I should pay this', "I shouldn't pay this"],
    ['typographic apostrophes', 'I should pay this', 'I shouldn’t pay this'],
    ['negations in German', 'Darf ich das essen?', 'Darf ich das nicht essen?'],
    ['quotes', 'What does "sanguine" mean?', 'What does "sanguinary" mean?'],
    ['code', 'What does `map` do?', 'What does `filter` do?'],
    ['placeholders', 'Write to ⟦EMAIL_1⟧ today', 'Write to ⟦PHONE_1⟧ today'],
    ['who is who', 'Mail ⟦EMAIL_1⟧ and cc ⟦EMAIL_2⟧', 'Cc ⟦EMAIL_1⟧ and mail ⟦EMAIL_2⟧'],
    ['names', 'What is the weather in Paris?', 'What is the weather in Berlin?'],
    ['names that come first', 'Paris weather today', 'Berlin weather today'],
    ['directions', 'Trains from Paris to Berlin', 'Trains to Paris from Berlin'],
    ['order', 'Does Anna owe Bob?', 'Does Bob owe Anna?'],
    ['opposites', 'How do I enable logging?', 'How do I disable logging?'],
    ['signs', 'Is a > b here?', 'Is a < b here?'],
    ['addresses', 'Summarize example.org please', 'Summarize example.com please'],
    ['amounts', 'Costs of $5 a day', 'Costs of €5 a day'],
  ])('%s', (_what, a, b) => {
    expect(same(a, b)).toBe(false)
    expect(same(a, a)).toBe(true)
  })
})

test.each(['what is the weather in paris', '天気はどうですか', 'ما هو الطقس؟', ''])('%j is never served', (text) => {
  expect(guardOf(text)).toBeNull()
})

test('what nobody types is not read at all', () => {
  expect(guardOf(`A${'a'.repeat(200)}`)).toBeNull()
  expect(guardOf('A word '.repeat(600))).toBeNull()
})
