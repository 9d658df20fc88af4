/**
 * People of a Keycloak realm export: profile, roles and groups by name, and password hashes as they are. Members it does
 * not name are Keycloak's own and left alone; second factors and links to other providers are not taken over, which each
 * row says. Tested in import.test.ts.
 */
import Type, { type Static } from 'typebox'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { parseBody } from '../../../kernel/http/body/json-body.ts'
import { lazyCheck } from '../../../kernel/schema/validators.ts'
import { storedForeign } from '../passwords/foreign.ts'
import { fieldFaults, type ImportedPerson } from './person.ts'
import { mostPeople } from './schema.ts'

const Text = Type.String({ maxLength: 2_000 })
const Names = Type.Array(Text, { maxItems: 1_000 })

const Credential = Type.Object({
  type: Type.Optional(Text),
  secretData: Type.Optional(Text),
  credentialData: Type.Optional(Text),
  createdDate: Type.Optional(Type.Number({ minimum: 0, maximum: 8e15 })),
  temporary: Type.Optional(Type.Boolean()),
})
type Credential = Static<typeof Credential>

const KeycloakUser = Type.Object({
  username: Type.Optional(Text),
  email: Type.Optional(Text),
  firstName: Type.Optional(Text),
  lastName: Type.Optional(Text),
  enabled: Type.Optional(Type.Boolean()),
  attributes: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Unknown(), { maxItems: 1_000 }))),
  serviceAccountClientId: Type.Optional(Text),
  credentials: Type.Optional(Type.Array(Credential, { maxItems: 100 })),
  requiredActions: Type.Optional(Names),
  realmRoles: Type.Optional(Names),
  clientRoles: Type.Optional(Type.Record(Type.String(), Names)),
  groups: Type.Optional(Names),
  federatedIdentities: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
})
type KeycloakUser = Static<typeof KeycloakUser>

const checkUser = lazyCheck(KeycloakUser)
const isUser = (value: unknown): value is KeycloakUser => checkUser(value).length === 0

/** Enough for 10,000 people with everything Keycloak says of one. */
const mostValues = 2_000_000

/** The reason the document cannot be read; the message is meant for its sender. */
export class RealmFault extends Error {}

/** @throws RealmFault */
export function peopleOfRealm(text: string): readonly ImportedPerson[] {
  const document = parsed(text)
  const users = typeof document === 'object' && document !== null && 'users' in document ? document.users : null
  if (!Array.isArray(users)) throw new RealmFault('The document has no list `users`: export the realm with its users.')
  if (users.length > mostPeople) throw new RealmFault(`The document has more than ${mostPeople} users.`)
  return users.map((user: unknown, index) => (isUser(user) ? personOf(user, index + 1) : strange(user, index + 1)))
}

function parsed(text: string): unknown {
  try {
    return parseBody(Buffer.from(text), { anyText: false, maxValues: mostValues })
  } catch (error) {
    if (error instanceof ProblemError) {
      const [part] = error.parts
      const place = part?.pointer === undefined ? '' : ` (${part.pointer.slice(0, 200)})`
      throw new RealmFault(`The document cannot be read: ${part?.detail ?? error.message}${place}`, { cause: error })
    }
    throw error
  }
}

const nobody = {
  fields: {},
  roles: [],
  passwordHash: null,
  passwordSetAt: null,
  mustChangePassword: false,
  enabled: true,
  skipped: false,
  notes: [],
} as const

function strange(user: unknown, line: number): ImportedPerson {
  const faults = checkUser(user).map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`.slice(0, 300))
  return { ...nobody, line, faults }
}

function personOf(user: KeycloakUser, line: number): ImportedPerson {
  if (user.serviceAccountClientId !== undefined) {
    return {
      ...nobody,
      line,
      skipped: true,
      notes: ['A service account of a client; make a service account here.'],
      faults: [],
    }
  }
  const fields = fieldsOf(user)
  const password = passwordOf(user)
  return {
    line,
    fields,
    roles: rolesOf(user),
    ...password.taken,
    mustChangePassword: password.temporary || (user.requiredActions ?? []).includes('UPDATE_PASSWORD'),
    enabled: user.enabled !== false,
    skipped: false,
    notes: [...password.notes, ...leftBehind(user)],
    faults: [...fieldFaults(fields), ...password.faults],
  }
}

function fieldsOf(user: KeycloakUser) {
  const name = [user.firstName, user.lastName].filter((part) => part !== undefined && part !== '').join(' ')
  const address = user.email ?? (user.username?.includes('@') ? user.username : undefined)
  const locale = user.attributes?.locale?.[0]
  return {
    ...(address === undefined ? {} : { email: address }),
    ...(name === '' && user.username === undefined ? {} : { display_name: name === '' ? user.username : name }),
    ...(typeof locale === 'string' ? { locale } : {}),
  }
}

/** Roles that every user of every realm has; they say nothing about permissions. */
const meaningless = /^(?:default-roles-.*|offline_access|uma_authorization)$/

function rolesOf(user: KeycloakUser): readonly string[] {
  const clients = Object.entries(user.clientRoles ?? {})
  const ofClients = clients.flatMap(([client, names]) => names.map((name) => `${client}/${name}`))
  const realm = (user.realmRoles ?? []).filter((name) => !meaningless.test(name))
  return [...new Set([...realm, ...ofClients, ...(user.groups ?? [])])]
}

function leftBehind(user: KeycloakUser): readonly string[] {
  const factors = (user.credentials ?? []).filter(({ type }) => type !== 'password' && type !== 'password-history')
  const kinds = [...new Set(factors.map(({ type = 'unknown' }) => type.slice(0, 40)))].slice(0, 5)
  return [
    ...kinds.map((kind) => `The second factor (${kind}) is not taken over; a new one is enrolled here.`),
    ...((user.federatedIdentities ?? []).length > 0
      ? ['Links to identity providers are not taken over; single sign-on links anew by its own rules.']
      : []),
  ]
}

interface Password {
  readonly taken: Pick<ImportedPerson, 'passwordHash' | 'passwordSetAt'>
  readonly temporary: boolean
  readonly notes: readonly string[]
  readonly faults: readonly string[]
}

const none = { taken: { passwordHash: null, passwordSetAt: null }, temporary: false, notes: [], faults: [] } as const

function passwordOf({ credentials = [] }: KeycloakUser): Password {
  const credential = credentials.find(({ type }) => type === 'password')
  if (credential === undefined) return none
  const phc = phcOf(credential)
  const stored = phc === null ? null : storedForeign(phc)
  if (stored === null) {
    return { ...none, faults: ['credentials: the password is of an algorithm or cost that is not taken over.'] }
  }
  const setAt = credential.createdDate === undefined ? null : new Date(credential.createdDate).toISOString()
  return { ...none, taken: { passwordHash: stored, passwordSetAt: setAt }, temporary: credential.temporary === true }
}

const Costs = Type.Object({
  algorithm: Type.String({ maxLength: 40 }),
  hashIterations: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
  additionalParameters: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String({ maxLength: 40 })))),
})
type Costs = Static<typeof Costs>
const Secret = Type.Object({ value: Type.String({ maxLength: 400 }), salt: Type.String({ maxLength: 400 }) })
type Secret = Static<typeof Secret>

const [checkCosts, checkSecret] = [lazyCheck(Costs), lazyCheck(Secret)]
const isCosts = (value: unknown): value is Costs => checkCosts(value).length === 0
const isSecret = (value: unknown): value is Secret => checkSecret(value).length === 0

/** The PHC string of a Keycloak credential, which is kept in two texts of JSON; null for any other form. */
function phcOf({ credentialData, secretData }: Credential): string | null {
  const [costs, secret] = [jsonIn(credentialData), jsonIn(secretData)]
  if (!isCosts(costs) || !isSecret(secret)) return null
  const [salt, tag] = [unpadded(secret.salt), unpadded(secret.value)]
  if (costs.algorithm !== 'argon2') return `$${costs.algorithm}$i=${costs.hashIterations}$${salt}$${tag}`
  const given = (name: string, otherwise: string): string => costs.additionalParameters?.[name]?.[0] ?? otherwise
  const version = given('version', '1.3') === '1.0' ? 16 : 19
  const [memory, lanes] = [given('memory', '7168'), given('parallelism', '1')]
  return `$argon2${given('type', 'id')}$v=${version}$m=${memory},t=${costs.hashIterations},p=${lanes}$${salt}$${tag}`
}

const unpadded = (base64: string): string => base64.replace(/={1,2}$/, '')

function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text)
  } catch {
    // Told as a credential that cannot be taken over.
    return null
  }
}
