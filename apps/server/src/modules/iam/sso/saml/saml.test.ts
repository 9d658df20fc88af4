import { createHmac, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { makeSamlProvider, type SamlPerson, type SamlProvider, type Tags } from '../testing/saml-provider.ts'
import { activate, exchange, roleId, start } from '../testing/sso-world.ts'

let world: World
let alpha: TestTenant
let idp: SamlProvider
let impostor: SamlProvider
let id: string
let metadata: string

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await world.tenant('alpha')
  idp = await makeSamlProvider()
  impostor = await makeSamlProvider()
  const body = {
    name: 'Company directory',
    type: 'saml',
    domains: ['alpha.example'],
    saml: { idp_metadata_xml: idp.metadata },
    jit: { enabled: true, default_role_ids: [await roleId(alpha.admin, 'viewer')] },
    group_mappings: [{ group: 'risk', role_ids: [await roleId(alpha.admin, 'risk_manager')], mode: 'add' }],
    email_trusted: true,
  }
  id = expectStatus(await alpha.admin.post('/iam/sso-connections', body), 201).body.data.id
  expectStatus(await activate(world, alpha.admin, id), 200)
  const answer = await world.stranger.get(`/auth/sso/${id}/metadata`)
  expect(answer.headers['content-type']).toContain('application/samlmetadata+xml')
  metadata = expectStatus(answer, 200).text
})
afterAll(() => world.close())

const ann: SamlPerson = { nameId: 'ann-7', email: 'ann@alpha.example', groups: ['risk'] }
const eve: SamlPerson = { nameId: 'eve-1', email: 'eve@alpha.example', groups: [] }

async function post(xml: string, raw?: string) {
  const answer = await world.program.app.inject({
    method: 'POST',
    url: `/api/v1/auth/sso/${id}/callback`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ SAMLResponse: raw ?? Buffer.from(xml, 'utf8').toString('base64') }).toString(),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
    text: answer.payload,
    body: answer.payload === '' ? null : JSON.parse(answer.payload),
  }
}

/** A sign-in that was started, and the id of its request as the provider read it. */
async function asked(): Promise<string> {
  return (await idp.readRequest(metadata, await start(world, id))).id
}

async function respond(person: SamlPerson, change?: (tags: Tags) => Tags, by = idp): Promise<string> {
  return by.respond(metadata, { requestId: await asked(), person, ...(change === undefined ? {} : { change }) })
}

it('signs somebody in: our request is signed, the response is checked, the person is recognized again', async () => {
  const first = await post(await respond(ann))
  const tokens = expectStatus(await exchange(world, first), 200).body.data
  expect(tokens.user).toMatchObject({ email: 'ann@alpha.example', role: 'viewer' })
  const me = (await world.stranger.with(tokens.access_token).get('/auth/me')).body.data
  expect(me).toMatchObject({ roles: ['viewer', 'risk_manager'], amr: ['sso'] })
  const again = await exchange(world, await post(await respond({ ...ann, email: 'other@alpha.example' })))
  expect(again.body.data.user.id).toBe(tokens.user.id)
  // The key that signed the request is the one in the metadata.
  const { certificate } = (await alpha.admin.get(`/iam/sso-connections/${id}`)).body.data.service_provider
  expect(metadata).toContain(new X509Certificate(certificate).raw.toString('base64').slice(0, 60))
})

it('C08 takes a context that stands for two factors at its word, and no other', async () => {
  const sessionOf = async (Context?: string) => {
    const xml = await respond(ann, (tags) => (Context === undefined ? tags : { ...tags, Context }))
    const { access_token } = expectStatus(await exchange(world, await post(xml)), 200).body.data
    return (await world.stranger.with(access_token).get('/iam/sessions')).body.data.find(
      (session: { current: boolean }) => session.current,
    )
  }
  expect(await sessionOf()).toMatchObject({ amr: ['sso'], acr: 'aal1' })
  const two = { amr: ['sso', 'mfa'], acr: 'aal2' }
  expect(await sessionOf('urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI')).toMatchObject(two)
  expect(await sessionOf('https://refeds.org/profile/mfa')).toMatchObject(two)
})

it('C08 asks for a new proof where one is needed, and takes the time of the old one for what it is', async () => {
  const decoded = (url: string) =>
    inflateRawSync(Buffer.from(new URL(url).searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  expect(decoded(await start(world, id, { fresh: 'true' }))).toContain('ForceAuthn="true"')
  expect(decoded(await start(world, id))).not.toContain('ForceAuthn="true"')
  const then = new Date(Date.now() - 7_200_000).toISOString()
  const xml = await respond(ann, (tags) => ({ ...tags, AuthnInstant: then }))
  const { access_token } = expectStatus(await exchange(world, await post(xml)), 200).body.data
  const { data } = (await world.stranger.with(access_token).get('/iam/sessions')).body
  expect(data.find((session: { current: boolean }) => session.current).auth_time).toBe(then)
})

const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/
const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/
const part = (xml: string, form: RegExp): string => form.exec(xml)?.[0] ?? ''
const forged = (xml: string): string =>
  part(xml, assertion)
    .replace(signature, '')
    .replaceAll('eve', 'admin')
    .replace(/ID="_assertion/, 'ID="_evil')
const inAssertion = (xml: string, change: (text: string) => string): string =>
  xml.replace(assertion, (text) => change(text))

/** Changes made by a man in the middle between the provider and us. */
const variants: Record<string, (xml: string) => string> = {
  'a changed name': (xml) => xml.replace('>eve-1<', '>admin-1<'),
  'a changed attribute': (xml) => xml.replace('eve@alpha.example', 'admin@alpha.example'),
  'no signature': (xml) => xml.replace(signature, ''),
  'an empty signature': (xml) => xml.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>'),
  'a cut signature': (xml) => xml.replace(/(<ds:SignatureValue>)..../, '$1AAAA'),
  'a forged sibling before': (xml) => xml.replace(assertion, (text) => forged(xml) + text),
  'a forged sibling after': (xml) => xml.replace(assertion, (text) => text + forged(xml)),
  'the signed one twice': (xml) => xml.replace(assertion, (text) => text + text),
  'the same id twice': (xml) => xml.replace(assertion, (text) => forged(xml).replace('_evil', '_assertion') + text),
  'the signed one inside Extensions': (xml) =>
    xml.replace(assertion, (text) => `<samlp:Extensions>${text}</samlp:Extensions>${forged(xml)}`),
  'the signed one inside the forged one': (xml) =>
    xml.replace(assertion, (text) => forged(xml).replace('</saml:Assertion>', `${text}</saml:Assertion>`)),
  'the signed one inside Object': (xml) =>
    xml.replace(assertion, (text) => {
      const object = part(text, signature).replace(
        '</ds:Signature>',
        `<ds:Object>${text.replace(signature, '')}</ds:Object></ds:Signature>`,
      )
      return forged(xml).replace('</saml:Issuer>', `</saml:Issuer>${object}`)
    }),
  'an assertion of another namespace': (xml) =>
    xml.replace(
      assertion,
      (text) =>
        `${forged(xml).replaceAll('saml:', 'evil:').replace('<evil:Assertion', '<evil:Assertion xmlns:evil="urn:evil"')}${text}`,
    ),
  'a comment in the name': (xml) => xml.replace('>eve-1<', '>eve<!-- -->-1<'),
  'a processing instruction in the name': (xml) => xml.replace('>eve-1<', '>eve<?x y?>-1<'),
  'a CDATA section in the name': (xml) => xml.replace('>eve-1<', '><![CDATA[eve-1]]><'),
  'another name behind a character reference': (xml) => xml.replace('>eve-1<', '>&#97;dmin-1<'),
  'a DOCTYPE': (xml) => `<!DOCTYPE r>${xml}`,
  'an entity in the name': (xml) => `<!DOCTYPE r [<!ENTITY e "eve-1">]>${xml.replace('>eve-1<', '>&e;<')}`,
  'an entity bomb': (xml) =>
    `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'.replaceAll(/./g, (name) => `<!ENTITY ${name} "${`&${String.fromCharCode(name.charCodeAt(0) - 1)};`.repeat(10)}">`)}]>${xml.replace('>eve-1<', '>&j;<')}`,
  'an external entity': (xml) =>
    `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml.replace('>eve-1<', '>&e;<')}`,
  'a signature by HMAC with the public key': (xml) => {
    const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'
    const value = createHmac('sha1', idp.certificate)
      .update(part(xml, /<ds:SignedInfo[\s\S]*<\/ds:SignedInfo>/))
      .digest('base64')
    return xml
      .replace('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', hmac)
      .replace(/<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>${value}`)
  },
  'an attribute more': (xml) =>
    inAssertion(xml, (text) =>
      text.replace(
        '</saml:AttributeStatement>',
        '<saml:Attribute Name="groups"><saml:AttributeValue>risk</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>',
      ),
    ),
  'another destination': (xml) => xml.replace(/Destination="[^"]*"/, 'Destination="https://other.example/acs"'),
  'no request named': (xml) => xml.replace(/ InResponseTo="[^"]*"/, ''),
  'another root': (xml) =>
    part(xml, assertion).replace(
      '<saml:Assertion',
      '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"',
    ),
  'no XML': () => 'nothing',
  nothing: () => '',
}

/** Signed by the provider itself, and not for us, or not now. */
const signedVariants: Record<string, (tags: Tags) => Tags> = {
  'another audience': (tags) => ({ ...tags, Audience: 'https://other.example' }),
  'another recipient': (tags) => ({ ...tags, Recipient: 'https://other.example/acs' }),
  'another issuer': (tags) => ({ ...tags, Issuer: 'https://other.example' }),
  'another request in the assertion': (tags) => ({ ...tags, InResponseTo: '_other' }),
  'no request in the assertion': (tags) => ({ ...tags, InResponseTo: '' }),
  'a request nobody made': (tags) => ({ ...tags, ResponseTo: '_other', InResponseTo: '_other' }),
  'an end that is past': (tags) => ({ ...tags, Until: new Date(Date.now() - 61_000).toISOString() }),
  'a beginning to come': (tags) => ({ ...tags, From: new Date(Date.now() + 120_000).toISOString() }),
  'an issue long ago': (tags) => ({
    ...tags,
    IssueInstant: new Date(Date.now() - 400_000).toISOString(),
    Until: new Date(Date.now() + 3_600_000).toISOString(),
  }),
  'a transient name': (tags) => ({ ...tags, Format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
  'an address of another domain': (tags) => ({ ...tags, Email: 'eve@beta.example' }),
  'no name': (tags) => ({ ...tags, NameID: '' }),
}

describe('C08 refuses', () => {
  it.each(Object.entries(variants))('%s', async (_name, change) => {
    const xml = await respond(eve)
    const changed = change(xml)
    expect(changed).not.toBe(xml)
    expect((await post(changed)).body).toMatchObject({
      status: 401,
      error_code: 'AUTH-015',
      detail: 'The sign-in assertion was refused.',
    })
  })

  it.each(Object.entries(signedVariants))('%s, though signed', async (_name, change) => {
    expect((await post(await respond(eve, change))).body).toMatchObject({ status: 401, error_code: 'AUTH-015' })
  })

  it('another key, SHA-1, a response twice, and one that was not asked for', async () => {
    const refused = { status: 401, error_code: 'AUTH-015' }
    expect((await post(await respond(eve, undefined, impostor))).body).toMatchObject(refused)
    const swapped = (await respond(eve)).replace(
      /<ds:SignatureValue>[^<]*/,
      part(await respond(eve, undefined, impostor), /<ds:SignatureValue>[^<]*/),
    )
    expect((await post(swapped)).body).toMatchObject(refused)
    const weak = (await respond(eve)).replace(
      'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    )
    expect((await post(weak)).body).toMatchObject(refused)
    const twice = await respond(ann)
    expect((await post(twice)).status).toBe(303)
    expect((await post(twice)).body).toMatchObject(refused)
    const unasked = await idp.respond(metadata, { requestId: '', person: eve })
    expect((await post(unasked)).body).toMatchObject(refused)
  })

  it('more than 256 KiB with 413, and what is no base64', async () => {
    expect((await post('x'.repeat(262_145))).body).toMatchObject({ status: 413, error_code: 'API-005' })
    expect((await post('', '%%%')).body).toMatchObject({ status: 401, error_code: 'AUTH-015' })
  })

  it('and none of it made an account or was let through unseen', async () => {
    for (const q of ['eve', 'admin-1'])
      expect((await alpha.admin.get('/iam/users', { query: { q } })).body.data).toEqual([])
    expect((await alpha.admin.get(`/iam/sso-connections/${id}`)).body.data.health.last_error).not.toBeNull()
  })
})

it('takes a spelling that leaves the signed content alone for what it is', async () => {
  // A character reference for the same letter: the canonical bytes, and so the identity, do not change.
  const xml = (await respond(ann)).replace('>ann-7<', '>&#97;nn-7<')
  const tokens = expectStatus(await exchange(world, await post(xml)), 200).body.data
  expect(tokens.user.email).toBe('ann@alpha.example')
})
