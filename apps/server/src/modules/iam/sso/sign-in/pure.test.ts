import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { identityOf, mergedClaims } from '../oidc/claims.ts'
import { readCertificate } from '../saml/certificates.ts'
import { readIdpMetadata } from '../saml/metadata.ts'
import { postedXml } from '../saml/prefilter.ts'
import { makeSigningPair } from '../saml/self-signed.ts'
import { spMetadata } from '../saml/service-provider.ts'
import { mappedRoles } from './groups.ts'

const posted = (xml: string) => Buffer.from(xml).toString('base64')

it('C08 C25 takes plain XML and refuses every construct that parsers read in two ways', () => {
  const fine = '<?xml version="1.0" encoding="UTF-8"?><a b="&#13;&amp;">x &#x41; y</a>'
  expect(postedXml(posted(fine))).toBe(fine)
  const bad = [
    '<!DOCTYPE a><a/>',
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    '<a>&b;</a>',
    '<a>user<!-- -->@x</a>',
    '<a>user<?x y?>@x</a>',
    '<a><![CDATA[x]]></a>',
    '<?xml version="1.1"?><a/>',
    '<?xml version="1.0" encoding="UTF-16"?><a/>',
    '<?xml-stylesheet href="x"?><a/>',
    'x<?xml version="1.0"?><a/>',
    '<a>\u0000</a>',
  ]
  for (const xml of bad) expect(() => postedXml(posted(xml)), xml).toThrow()
  expect(() => postedXml(Buffer.from([0x3c, 0xff, 0x2f]).toString('base64'))).toThrow(/UTF-8/)
  for (const form of ['', '%%%', 'PGEvPg', 'PGEv=Pg=']) expect(() => postedXml(form), form).toThrow(/base64/)
  expect(() => postedXml(posted(`<a>${'x'.repeat(262_144)}</a>`))).toThrow(/larger than 262144/)
})

it('reads claims strictly', () => {
  const verified = (value: unknown) => identityOf({ sub: 's', email: 'a@b.c', email_verified: value }, {}).emailVerified
  const values = [true, 'true', '1', false, 'false', undefined, null, {}]
  expect(values.map(verified)).toEqual([true, true, true, false, false, false, false, false])
  const named = identityOf({ sub: 's', upn: 'a@b.c', roles: ['x', 7, ''] }, { email: 'upn', groups: 'roles' })
  expect(named).toMatchObject({ email: 'a@b.c', groups: ['x'] })
  expect(
    identityOf({ sub: 's', upn: 'a@b.c', email: 'd@e.f', email_verified: true }, { email: 'upn' }).emailVerified,
  ).toBe(false)
  const merged = (token: object, profile: object) => {
    const { email, email_verified } = mergedClaims({ ...token }, { ...profile }, {})
    return [email, email_verified]
  }
  expect(merged({}, { email: 'a', email_verified: true })).toEqual(['a', true])
  expect(merged({ email: 'a' }, { email: 'a', email_verified: true })).toEqual(['a', true])
  expect(merged({ email: 'a' }, { email: 'b', email_verified: true })).toEqual(['a', false])
  expect(merged({ email_verified: true }, { email: 'b' })).toEqual(['b', false])
  expect(merged({ email: 'a', email_verified: true }, { email: 'b', email_verified: false })).toEqual(['a', true])
  expect(merged({ email: 'a', email_verified: true }, { email: 'a', email_verified: false })).toEqual(['a', false])
  for (const sub of [undefined, '', 7, 'x'.repeat(256)]) expect(() => identityOf({ sub }, {})).toThrow(/subject/)
})

it('C07 believes an address that Entra ID names, where its word or the administrator of the connection vouches for it', () => {
  const entra = { sub: 's', oid: 'o', tid: 't', email: 'a@b.c', preferred_username: 'a@b.c' }
  const verified = (claims: object, trusted: boolean) => identityOf({ ...entra, ...claims }, {}, trusted).emailVerified
  expect([verified({}, false), verified({}, true)]).toEqual([false, true])
  expect([verified({ xms_edov: true }, false), verified({ xms_edov: '1' }, false)]).toEqual([true, true])
  expect([verified({ xms_edov: false }, true), verified({ email_verified: false }, true)]).toEqual([false, false])
  expect(verified({ email_verified: false, xms_edov: true }, true)).toBe(false)
  const merged = mergedClaims({ email: 'a@b.c' }, { email: 'a@b.c' }, {})
  expect(identityOf({ ...merged, sub: 's' }, {}, true).emailVerified).toBe(true)
  const other = mergedClaims({ xms_edov: true }, { email: 'd@e.f' }, {})
  expect(identityOf({ ...other, sub: 's' }, {}, true).emailVerified).toBe(false)
})

it('C07 takes nothing from groups that Entra ID left out because there are too many', () => {
  const complete = (claims: object) => identityOf({ sub: 's', ...claims }, {}).groupsComplete
  expect(complete({ groups: ['a'] })).toBe(true)
  expect(complete({ _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'x' } } })).toBe(false)
  expect(complete({ hasgroups: true })).toBe(false)
  expect(complete({ _claim_names: { address: 'src1' } })).toBe(true)
})

it('maps groups: add gives, authoritative also takes, what no mapping names stays', () => {
  const rules = [
    { group: 'a', role_ids: ['1'], mode: 'add' as const },
    { group: 'b', role_ids: ['2', '3'], mode: 'authoritative' as const },
    { group: 'c', role_ids: ['2'], mode: 'add' as const },
  ]
  expect(mappedRoles(['9'], ['a', 'b'], rules)).toEqual(['9', '1', '2', '3'])
  expect(mappedRoles(['9', '1', '2', '3'], [], rules)).toEqual(['9', '1'])
  expect(mappedRoles(['9', '2', '3'], ['c'], rules)).toEqual(['9', '2'])
})

it('makes certificates that Node and the metadata reader take, and metadata that carries them', async () => {
  const facts = {
    commonName: 'parapet test',
    serial: new Uint8Array(16).fill(0xff),
    from: Date.UTC(2026, 0),
    until: Date.UTC(2051, 0),
  }
  const pair = await makeSigningPair(facts)
  const certificate = new X509Certificate(pair.certificate)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.subject).toBe('CN=parapet test')
  expect([certificate.validFrom, certificate.validTo].map((at) => Date.parse(at))).toEqual([facts.from, facts.until])
  expect(readCertificate(pair.certificate)).toEqual({ pem: pair.certificate, expiresAt: '2051-01-01T00:00:00.000Z' })
  const party = { ...pair, entityId: 'https://sp.example/metadata', acsUrl: 'https://sp.example/acs' }
  const xml = spMetadata(party, '_1')
  expect(xml).toContain('AuthnRequestsSigned="true"')
  expect(xml).toContain('WantAssertionsSigned="true"')
  expect(xml).toContain(certificate.raw.toString('base64').slice(0, 60))
})

it('reads the metadata of an identity provider, also with comments, and refuses what is none', async () => {
  const { certificate } = await makeSigningPair({ commonName: 'idp', serial: new Uint8Array(16), from: 0, until: 4e12 })
  const body = certificate.replaceAll(/-----.*-----|\n/g, '')
  const metadata = (inside: string) =>
    `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://idp.example">${inside}</md:EntityDescriptor>`
  const idp = (key: string, binding = 'HTTP-Redirect') =>
    metadata(
      `<!-- a note --><md:IDPSSODescriptor><md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${key}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="https://idp.example/sso"/></md:IDPSSODescriptor>`,
    )
  expect(await readIdpMetadata(`<?xml version="1.0"?>${idp(body)}`)).toEqual({
    entity_id: 'https://idp.example',
    sso_url: 'https://idp.example/sso',
    certificates: [certificate],
  })
  const bad = [idp('AAAA'), idp(body, 'SOAP'), metadata(''), 'no xml', '<a/>', `<!DOCTYPE a>${idp(body)}`]
  for (const xml of bad) await expect(readIdpMetadata(xml), xml.slice(0, 60)).rejects.toMatchObject({ code: 'IAM-013' })
})
