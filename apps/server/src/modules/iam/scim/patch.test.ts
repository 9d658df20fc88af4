import { describe, expect, test } from 'vitest'
import { enterpriseUrn, groupSchema, userSchema } from './attributes.ts'
import { project, readDocument } from './document.ts'
import type { Document } from './match.ts'
import { applyPatch } from './patch.ts'

const person: Document = {
  userName: 'ada@example.com',
  active: true,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
}

const patched = (...Operations: readonly unknown[]): Document => applyPatch(userSchema, person, { Operations })
const refusal = (scimType: string) => expect.objectContaining({ status: 400, members: { scimType } })

describe('a patch', () => {
  test.each<[string, unknown, Document]>([
    ['in another case', { op: 'Replace', path: 'ACTIVE', value: 'False' }, { active: false }],
    ['without a path', { op: 'replace', value: { active: false } }, { active: false }],
    [
      'without a path and with dotted names',
      { op: 'Add', value: { 'name.givenName': 'Augusta', [`${enterpriseUrn}:department`]: 'Math' } },
      { name: { givenName: 'Augusta', familyName: 'Lovelace' }, [enterpriseUrn]: { department: 'Math' } },
    ],
    ['with names nobody declared', { op: 'replace', value: { id: 'x', favoriteColor: 'red' } }, {}],
    [
      'of an inner value',
      { op: 'replace', path: 'name.familyName', value: 'King' },
      { name: { givenName: 'Ada', familyName: 'King' } },
    ],
    [
      'of the elements a filter chooses',
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'a@example.com' },
      { emails: [{ value: 'a@example.com', type: 'work', primary: true }] },
    ],
    [
      'of an element that is not there yet',
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
      { phoneNumbers: [{ type: 'mobile', value: '+1 555' }] },
    ],
    ['that takes an attribute away', { op: 'remove', path: 'name.familyName' }, { name: { givenName: 'Ada' } }],
    [
      'with a manager as Entra writes one',
      { op: 'Add', path: `${enterpriseUrn}:manager`, value: 'boss' },
      { [enterpriseUrn]: { manager: { value: 'boss' } } },
    ],
    [
      'that makes another address the preferred one',
      { op: 'add', path: 'emails', value: [{ value: 'b@example.com', type: 'home', primary: true }] },
      {
        emails: [
          { value: 'ada@example.com', type: 'work', primary: false },
          { value: 'b@example.com', type: 'home', primary: true },
        ],
      },
    ],
  ])('%s', (_what, operation, expected) => {
    expect(patched(operation)).toEqual({ ...person, ...expected })
  })

  test.each<[string, unknown]>([
    ['invalidSyntax', { op: 'move', path: 'active' }],
    ['invalidSyntax', 'remove'],
    ['noTarget', { op: 'remove' }],
    ['noTarget', { op: 'replace', path: 'emails[value sw "x"].type', value: 'home' }],
    ['invalidPath', { op: 'add', path: 'favoriteColor', value: 'red' }],
    ['invalidPath', { op: 'add', path: '__proto__.polluted', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'constructor.prototype.polluted', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'name.__proto__.polluted', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'emails[type eq "work"].__proto__', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'name[givenName eq "x"]', value: 'x' }],
    ['invalidFilter', { op: 'remove', path: 'emails[__proto__ pr]' }],
    ['mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['mutability', { op: 'add', path: 'groups', value: [{ value: 'x' }] }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'maybe' }],
    ['invalidValue', { op: 'remove', path: 'userName' }],
    ['invalidValue', { op: 'replace', path: 'title', value: { a: 1 } }],
    ['invalidValue', { op: 'add', value: 'active' }],
  ])('with a fault is refused as %s', (scimType, operation) => {
    expect(() => patched(operation)).toThrow(refusal(scimType))
  })

  test('C32 never reaches a prototype, and a name like one leads to nothing', () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__.polluted": "x", "name": {"__proto__": {"polluted": "x"}, "constructor": {"a": 1}}}',
    )
    expect(patched({ op: 'add', value: hostile })).toEqual(person)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('of members adds each once and removes by value or by filter', () => {
    const group: Document = { displayName: 'G', members: [{ value: 'a' }, { value: 'b' }] }
    const members = (operation: unknown) => applyPatch(groupSchema, group, { Operations: [operation] }).members
    expect(members({ op: 'Add', path: 'members', value: [{ value: 'b' }, { value: 'c' }] })).toEqual([
      { value: 'a' },
      { value: 'b' },
      { value: 'c' },
    ])
    expect(members({ op: 'Remove', path: 'members', value: [{ value: 'a' }] })).toEqual([{ value: 'b' }])
    expect(members({ op: 'remove', path: 'members[value eq "b"]' })).toEqual([{ value: 'a' }])
    expect(members({ op: 'remove', path: 'members' })).toBeUndefined()
    expect(members({ op: 'replace', path: 'members', value: [{ value: 'z' }] })).toEqual([{ value: 'z' }])
  })
})

describe('a document', () => {
  test('is brought to the declared form', () => {
    const sent = { USERNAME: 'x', Active: 'True', emails: { value: 'x@example.com' }, title: '', id: 'mine', other: 1 }
    expect(readDocument(userSchema, sent)).toEqual({
      userName: 'x',
      active: true,
      emails: [{ value: 'x@example.com' }],
    })
  })

  test('shows what is asked for, and always its id and schemas', () => {
    const whole = { ...person, id: '1', schemas: ['s'], meta: {} }
    expect(project(userSchema, whole, { attributes: 'name.givenName,USERNAME,emails.value,unknown' })).toEqual({
      id: '1',
      schemas: ['s'],
      userName: 'ada@example.com',
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@example.com' }],
    })
    const rest = project(userSchema, whole, { excludedAttributes: 'id,emails,name.familyName' })
    expect(rest).toEqual({
      id: '1',
      schemas: ['s'],
      meta: {},
      userName: 'ada@example.com',
      active: true,
      name: { givenName: 'Ada' },
    })
  })
})
