import { describe, expect, test } from 'vitest'
import { groupSchema, userSchema } from './attributes.ts'
import { maxTerms, parseFilter } from './filter.ts'
import { matches } from './match.ts'

const bjensen = {
  id: '1',
  userName: 'bjensen@example.com',
  externalId: 'Ext-1',
  name: { familyName: "O'Malley", givenName: 'Barbara' },
  title: 'Manager',
  userType: 'Employee',
  active: true,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@example.org', type: 'home' },
  ],
  meta: { created: '2026-01-01T00:00:00.000Z', lastModified: '2026-05-13T04:42:34.000Z' },
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales', manager: { value: '7' } },
}

const holds = (text: string): boolean => matches(parseFilter(userSchema, text), bjensen)

describe('a filter', () => {
  test.each([
    ['userName eq "BJENSEN@example.com"', true],
    ['USERNAME Eq "bjensen@example.com"', true],
    ['name.familyName co "O\'Malley"', true],
    ['userName sw "J"', false],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "b"', true],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "sales"', true],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "7"', true],
    ['title pr', true],
    ['nickName pr', false],
    ['meta.lastModified gt "2026-05-13T04:42:34Z"', false],
    ['meta.lastModified ge "2026-05-13T06:42:34+02:00"', true],
    ['title pr and userType eq "Employee"', true],
    ['title eq "x" or userType eq "Employee" and active eq true', true],
    ['(title eq "x" or userType eq "Employee") and active eq false', false],
    ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', false],
    ['userType eq "Employee" and (emails.type eq "work")', true],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', true],
    ['emails[type eq "home" and value co "@example.com"]', false],
    ['externalId eq "ext-1"', false],
    ['active eq "True"', true],
    ['nickName ne "x"', true],
    ['not (nickName eq "x")', true],
    ['nickName eq null', true],
    ['title eq null', false],
    ['title ne NULL and emails ne null', true],
    ['emails[type eq "work"].value eq "BJENSEN@example.com"', true],
    ['emails[type eq "home"].value eq "bjensen@example.com"', false],
    ['emails[type eq "home"].value pr and title pr', true],
  ])('%s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected)
  })

  test('of members names the group that has them', () => {
    const filter = parseFilter(groupSchema, 'id eq "g" and members eq "u"')
    expect(matches(filter, { id: 'g', members: [{ value: 'u' }] })).toBe(true)
    expect(matches(filter, { id: 'g', members: [{ value: 'v' }] })).toBe(false)
  })

  test.each([
    '',
    'userName',
    'userName eq',
    'userName eq x',
    'userName is "x"',
    'password eq "x"',
    '__proto__ pr',
    'constructor.prototype pr',
    'name.__proto__ pr',
    'groups.value eq "1"',
    'name eq "x"',
    'active gt true',
    'active eq "maybe"',
    'userName eq 5',
    'userName eq "\\u0000"',
    'meta.created gt "yesterday"',
    'userName eq "x" and',
    '(userName eq "x"',
    'userName eq "x")',
    'userName eq "x" userName eq "y"',
    'emails[type eq "work"',
    'name[givenName eq "x"]',
    'userName eq "unclosed',
    'title gt null',
    'emails[type eq "work"].value',
    'emails[type eq "work"].nothing eq "x"',
    'emails[type eq "work"]value eq "x"',
    `${'('.repeat(11)}title pr${')'.repeat(11)}`,
    Array.from({ length: maxTerms + 1 }, () => 'title pr').join(' or '),
    Array.from({ length: 3_000 }, () => 'title pr').join(' or '),
  ])('%# is refused as invalidFilter', (text) => {
    expect(() => parseFilter(userSchema, text)).toThrow(
      expect.objectContaining({ status: 400, members: { scimType: 'invalidFilter' } }),
    )
  })

  test('at the bounds is read', () => {
    expect(() => parseFilter(userSchema, `${'('.repeat(10)}title pr${')'.repeat(10)}`)).not.toThrow()
    expect(() => parseFilter(userSchema, Array.from({ length: maxTerms }, () => 'title pr').join(' or '))).not.toThrow()
  })
})
