import { expect, test } from 'vitest'
import { sources } from '../../../../../test/borders/sources.ts'
import { modules } from '../../../../modules.ts'
import { acts, knownAct, verbs } from './acts.ts'

/** Where an action is named, up to the first comma or brace behind it; a choice of two names is both. */
const places = /\.audit\(|\baudit: |\baction(?: =|:) /g
const literal = /'([a-z_]+(?:\.[a-z_]+)+)'/g

function writtenIn(text: string): readonly string[] {
  return [...text.matchAll(places)].flatMap(({ index, 0: opening }) => {
    const named = /^[^,{;]*/.exec(text.slice(index + opening.length))?.[0] ?? ''
    return [...named.matchAll(literal)].map((match) => match[1] ?? '')
  })
}

const written = new Set([
  ...sources('apps/server/src').flatMap(({ text }) => writtenIn(text)),
  ...modules.flatMap(({ routes }) => routes.flatMap(({ route: { audit } }) => (audit === null ? [] : [audit]))),
])

test('the scanner finds actions in calls, routes and choices', () => {
  expect(writtenIn("tx.audit(\n a ? 'x.one' : 'x.two', { target: 'not.this' })\n audit: 'x.three',")).toEqual([
    'x.one',
    'x.two',
    'x.three',
  ])
  expect(written.size).toBeGreaterThan(80)
})

test('every action that the program writes has its event class, and no other does', () => {
  expect({
    withoutClass: [...written].filter((action) => knownAct(action) === undefined),
    gone: [...acts.keys()].filter((action) => !written.has(action)),
  }).toEqual({ withoutClass: [], gone: [] })
})

test('no action stands in the list for what its verb says, and identity never goes by the verb', () => {
  const verbOf = (action: string) => verbs.get(action.split('.').at(-1) ?? '')
  const needless = [...acts].filter(([action, act]) => !/^(?:iam|auth)\./.test(action) && verbOf(action) === act)
  expect(needless).toEqual([])
  expect([knownAct('risk.scenario.create'), knownAct('iam.scenario.create')]).toEqual([
    ['api_activity', 'create'],
    undefined,
  ])
})
