/**
 * The attributes of the SCIM resources that are served (RFC 7643), as typed maps. Everything that reads a document, a
 * filter or a patch path looks names up here and nowhere else, so that a name which is not listed, `__proto__` among
 * them, leads to nothing. Tested in patch.test.ts and filter.test.ts.
 */

export type AttributeType = 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex'

export interface Attribute {
  readonly name: string
  readonly type: AttributeType
  readonly multiple: boolean
  readonly exact: boolean
  readonly required: boolean
  /** Read-only attributes are shown and can be filtered by; values sent by a client are ignored. */
  readonly readOnly: boolean
  /** Takes part in filters. */
  readonly filtered: boolean
  readonly unique: boolean
  readonly maxLength: number
  readonly description: string
  readonly sub: readonly Attribute[]
}

export interface ResourceSchema {
  readonly name: 'User' | 'Group'
  readonly endpoint: string
  /** URN of the core schema. */
  readonly core: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

type Options = Partial<Omit<Attribute, 'name' | 'description'>>

function attribute(name: string, description: string, options: Options = {}): Attribute {
  return {
    name,
    description,
    type: 'string',
    multiple: false,
    exact: false,
    required: false,
    readOnly: false,
    filtered: true,
    unique: false,
    maxLength: 1024,
    sub: [],
    ...options,
  }
}

const complex = (name: string, description: string, sub: readonly Attribute[], options: Options = {}): Attribute =>
  attribute(name, description, { type: 'complex', sub, ...options })

const plural = (name: string, description: string, more: readonly Attribute[] = []): Attribute =>
  complex(
    name,
    description,
    [
      ...(more.length > 0 ? more : [attribute('value', 'The value')]),
      attribute('type', 'What it is for: work, home, other'),
      attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
      attribute('display', 'Text for people'),
    ],
    { multiple: true },
  )

const common: readonly Attribute[] = [
  attribute('id', 'Id given by this server', { exact: true, readOnly: true, unique: true }),
  attribute('externalId', 'Id given by the directory', { exact: true }),
  complex(
    'meta',
    'About the resource',
    [
      attribute('created', 'When it was made', { type: 'dateTime', readOnly: true }),
      attribute('lastModified', 'When it was changed last', { type: 'dateTime', readOnly: true }),
    ],
    { readOnly: true },
  ),
]

export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export const userSchema: ResourceSchema = {
  name: 'User',
  endpoint: '/Users',
  core: 'urn:ietf:params:scim:schemas:core:2.0:User',
  description: 'A person',
  attributes: [
    ...common,
    attribute('userName', 'Name the person is known by; compared without case', {
      required: true,
      unique: true,
      maxLength: 254,
    }),
    complex('name', 'Parts of the name', [
      attribute('formatted', 'The whole name'),
      attribute('familyName', 'Family name'),
      attribute('givenName', 'Given name'),
      attribute('middleName', 'Middle name'),
      attribute('honorificPrefix', 'Prefix'),
      attribute('honorificSuffix', 'Suffix'),
    ]),
    attribute('displayName', 'Name for lists'),
    attribute('nickName', 'Casual name'),
    attribute('title', 'Title in the organization'),
    attribute('userType', 'Relation to the organization'),
    attribute('preferredLanguage', 'Preferred language'),
    attribute('locale', 'Locale, BCP 47'),
    attribute('timezone', 'Time zone, IANA'),
    attribute('active', 'Whether the account may be used', { type: 'boolean' }),
    plural('emails', 'E-mail addresses'),
    plural('phoneNumbers', 'Phone numbers'),
    plural('addresses', 'Postal addresses', [
      attribute('formatted', 'The whole address'),
      attribute('streetAddress', 'Street'),
      attribute('locality', 'City'),
      attribute('region', 'Region'),
      attribute('postalCode', 'Postal code'),
      attribute('country', 'Country'),
    ]),
    complex(
      'groups',
      'Groups the person is in',
      [
        attribute('value', 'Id of the group', { exact: true, readOnly: true }),
        attribute('display', 'Name of the group', { readOnly: true }),
        attribute('$ref', 'Address of the group', { type: 'reference', readOnly: true, filtered: false }),
        attribute('type', 'How the person is in it: direct', { readOnly: true }),
      ],
      { multiple: true, readOnly: true, filtered: false },
    ),
    complex(enterpriseUrn, 'Enterprise user', [
      attribute('employeeNumber', 'Number of the employee'),
      attribute('costCenter', 'Cost center'),
      attribute('organization', 'Organization'),
      attribute('division', 'Division'),
      attribute('department', 'Department'),
      complex('manager', 'Who the person reports to', [
        attribute('value', 'Id of the manager', { exact: true }),
        attribute('displayName', 'Name of the manager', { readOnly: true }),
      ]),
    ]),
  ],
}

export const groupSchema: ResourceSchema = {
  name: 'Group',
  endpoint: '/Groups',
  core: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  description: 'A group of people; one that has the name of a role assignable by SCIM gives that role',
  attributes: [
    ...common,
    attribute('displayName', 'Name of the group; compared without case', {
      required: true,
      unique: true,
      maxLength: 256,
    }),
    complex(
      'members',
      'People in the group',
      [
        attribute('value', 'Id of the person', { exact: true }),
        attribute('display', 'Name of the person', { readOnly: true }),
        attribute('$ref', 'Address of the person', { type: 'reference', readOnly: true, filtered: false }),
        attribute('type', 'What the member is: User', { readOnly: true }),
      ],
      { multiple: true },
    ),
  ],
}

/** From the outermost attribute to the one that is meant. */
export type AttributePath = readonly [Attribute, ...Attribute[]]

/** Attribute by its name without regard to case (RFC 7643 section 2.1). */
export function attributeIn(attributes: readonly Attribute[], name: string): Attribute | null {
  const wanted = name.toLowerCase()
  return attributes.find((candidate) => candidate.name.toLowerCase() === wanted) ?? null
}

/** `name.givenName`, `urn:…:User:department`, `urn:…:enterprise:2.0:User:manager.value`; null when there is no such attribute. */
export function resolvePath(schema: ResourceSchema, text: string): AttributePath | null {
  const core = withoutPrefix(text, schema.core)
  if (core !== null) return walk(schema.attributes, core.split('.'))
  for (const extension of schema.attributes.filter(({ name }) => name.startsWith('urn:'))) {
    if (text.toLowerCase() === extension.name.toLowerCase()) return [extension]
    const inside = withoutPrefix(text, extension.name)
    const found = inside === null ? null : walk(extension.sub, inside.split('.'))
    if (found !== null) return [extension, ...found]
  }
  return walk(schema.attributes, text.split('.'))
}

function withoutPrefix(text: string, urn: string): string | null {
  return text.toLowerCase().startsWith(`${urn.toLowerCase()}:`) ? text.slice(urn.length + 1) : null
}

export function walk(attributes: readonly Attribute[], names: readonly string[]): AttributePath | null {
  const [name = '', ...rest] = names
  const first = attributeIn(attributes, name)
  if (first === null) return null
  if (rest.length === 0) return [first]
  const inside = walk(first.sub, rest)
  return inside === null ? null : [first, ...inside]
}
