import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { held } from '../../../test/support/matrices.ts'
import { createEgress } from '../egress/fetch.ts'
import { createAddressGuard } from './address-guard.ts'

const now = () => 0
const unreachable = () => Promise.reject(new Error('The resolver must not be asked.'))
const strict = createEgress({ allowedPrivate: [], ports: [8443], resolve: unreachable, now })

const refusedSpellings: readonly (readonly [url: string, rule: string])[] = [
  ['https://127.0.0.1/', 'address_loopback'],
  ['https://127.1/', 'address_loopback'],
  ['https://127.0.1/', 'address_loopback'],
  ['https://2130706433/', 'address_loopback'],
  ['https://0x7f000001/', 'address_loopback'],
  ['https://0x7f.0x0.0x0.0x1/', 'address_loopback'],
  ['https://0X7F.1/', 'address_loopback'],
  ['https://017700000001/', 'address_loopback'],
  ['https://0177.0.0.1/', 'address_loopback'],
  ['https://0177.0x0.0.01/', 'address_loopback'],
  ['https://127.0.0.1./', 'address_loopback'],
  ['https://127.255.255.254/', 'address_loopback'],
  ['https://１２７.０.０.１/', 'address_loopback'],
  ['https://①②⑦.⓪.⓪.①/', 'address_loopback'],
  ['https://127。0。0。1/', 'address_loopback'],
  ['https://%31%32%37.0.0.1/', 'address_loopback'],
  ['https://localhost/', 'address_loopback'],
  ['https://LOCALHOST/', 'address_loopback'],
  ['https://ｌｏｃａｌｈｏｓｔ/', 'address_loopback'],
  ['https://localhost./', 'host_form'],
  ['https://api.localhost/', 'address_loopback'],
  ['https://localhost.localdomain/', 'address_loopback'],
  ['https://ip6-loopback/', 'address_loopback'],
  ['https://0/', 'address_unspecified'],
  ['https://0.0.0.0/', 'address_unspecified'],
  ['https://0.1.2.3/', 'address_unspecified'],
  ['https://10.0.0.1/', 'address_private'],
  ['https://10.1/', 'address_private'],
  ['https://172.16.0.1/', 'address_private'],
  ['https://172.31.255.255/', 'address_private'],
  ['https://192.168.1.1/', 'address_private'],
  ['https://0xc0a80101/', 'address_private'],
  ['https://100.64.0.1/', 'address_carrier_grade_nat'],
  ['https://169.254.1.1/', 'address_link_local'],
  ['https://169.254.169.254/latest/meta-data/', 'metadata'],
  ['https://2852039166/', 'metadata'],
  ['https://0xA9FEA9FE/', 'metadata'],
  ['https://169.254.43518/', 'metadata'],
  ['https://169.254.170.2/v2/credentials', 'metadata'],
  ['https://100.100.100.200/', 'metadata'],
  ['https://168.63.129.16/', 'metadata'],
  ['https://[fd00:ec2::254]/', 'metadata'],
  ['https://[::ffff:169.254.169.254]/', 'metadata'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'metadata'],
  ['https://[2002:a9fe:a9fe::1]/', 'metadata'],
  ['https://metadata.google.internal/', 'metadata'],
  ['https://METADATA.google.internal/', 'metadata'],
  ['https://metadata/', 'metadata'],
  ['https://instance-data/', 'metadata'],
  ['https://192.0.0.1/', 'address_reserved'],
  ['https://192.0.2.1/', 'address_reserved'],
  ['https://192.88.99.1/', 'address_reserved'],
  ['https://198.18.0.1/', 'address_reserved'],
  ['https://198.51.100.1/', 'address_reserved'],
  ['https://203.0.113.1/', 'address_reserved'],
  ['https://240.0.0.1/', 'address_reserved'],
  ['https://224.0.0.1/', 'address_multicast'],
  ['https://255.255.255.255/', 'address_broadcast'],
  ['https://[::]/', 'address_unspecified'],
  ['https://[::1]/', 'address_loopback'],
  ['https://[0:0:0:0:0:0:0:1]/', 'address_loopback'],
  ['https://[::ffff:127.0.0.1]/', 'address_ipv4_mapped'],
  ['https://[::ffff:7f00:1]/', 'address_ipv4_mapped'],
  ['https://[0:0:0:0:0:ffff:7f00:0001]/', 'address_ipv4_mapped'],
  ['https://[::ffff:8.8.8.8]/', 'address_ipv4_mapped'],
  ['https://[::127.0.0.1]/', 'address_not_global'],
  ['https://[::ffff:0:127.0.0.1]/', 'address_rfc6145'],
  ['https://[64:ff9b::7f00:1]/', 'address_rfc6052'],
  ['https://[64:ff9b:1::1]/', 'address_rfc6052'],
  ['https://[2002:7f00:1::]/', 'address_6to4'],
  ['https://[2001:0:7f00:1::]/', 'address_teredo'],
  ['https://[fc00::1]/', 'address_unique_local'],
  ['https://[fd12:3456::1]/', 'address_unique_local'],
  ['https://[fe80::1]/', 'address_link_local'],
  ['https://[fec0::1]/', 'address_deprecated_site_local'],
  ['https://[ff02::1]/', 'address_multicast'],
  ['https://[2001:db8::1]/', 'address_reserved'],
  ['https://[3fff::1]/', 'address_reserved'],
  ['https://[4000::1]/', 'address_not_global'],
  ['https://[fe80::1%25eth0]/', 'url_form'],
  ['http://api.example.com/', 'scheme'],
  ['http://8.8.8.8/', 'scheme'],
  ['ftp://api.example.com/', 'scheme'],
  ['file:///etc/passwd', 'url_form'],
  ['gopher://127.0.0.1:6379/_', 'scheme'],
  ['https://user@api.example.com/', 'user_info'],
  ['https://user:pass@api.example.com/', 'user_info'],
  ['https://@api.example.com/', 'user_info'],
  ['https://api.example.com@127.0.0.1/', 'user_info'],
  ['https://api.example.com/#part', 'fragment'],
  ['https://api.example.com/#', 'fragment'],
  ['https://api.example.com:22/', 'port'],
  ['https://8.8.8.8:6379/', 'port'],
  ['https://api.example.com:80/', 'port'],
  ['https://api.example.com:99999/', 'url_form'],
  ['https://api.example.com\\@127.0.0.1/', 'url_form'],
  ['https:\\\\127.0.0.1/', 'url_form'],
  ['https:/127.0.0.1/', 'url_form'],
  ['https:127.0.0.1/', 'url_form'],
  ['https:///127.0.0.1/', 'url_form'],
  [' https://api.example.com/', 'url_form'],
  ['https://api.exa\tmple.com/', 'url_form'],
  ['https://api.example.com/\r\nX: y', 'url_form'],
  ['//api.example.com/', 'url_form'],
  ['api.example.com', 'url_form'],
  ['', 'url_form'],
  ['https://a..b/', 'host_form'],
  ['https://a!b.example.com/', 'host_form'],
  [`https://api.example.com/${'x'.repeat(2_100)}`, 'url_length'],
]

test('C50 the list of addresses that lead inside is whole', () =>
  held('addresses that lead inside', refusedSpellings.length))

test.each(refusedSpellings)('C50 %s is refused by %s', (url, rule) => {
  expect(strict.checkUrl(url)).toEqual({ ok: false, rule })
})

test.each([
  'https://8.8.8.8/',
  'https://1.1.1.1:443/v1',
  'https://[2606:4700:4700::1111]/',
  'https://api.example.com/v1/chat/completions?x=1',
  'https://api.example.com:8443/',
  'HTTPS://API.EXAMPLE.COM/',
  'https://bücher.example/',
  'https://my_bucket.s3.example.com/',
])('%s passes', (url) => {
  expect(strict.checkUrl(url)).toMatchObject({ ok: true })
})

describe('with private ranges of the operator', () => {
  const open = createEgress({
    allowedPrivate: ['127.0.0.0/8', '10.0.0.0/8', '169.254.0.0/16', 'fd00::/8'],
    ports: [],
    resolve: unreachable,
    now,
  })

  test.each(['http://127.0.0.1:11434/', 'https://10.1.2.3:9000/', 'http://localhost:11434/', 'http://[fd00::5]:8080/'])(
    '%s passes on any port and by plain http',
    (url) => expect(open.checkUrl(url)).toMatchObject({ ok: true }),
  )

  test.each([
    ['http://169.254.169.254/', 'metadata'],
    ['http://[fd00:ec2::254]/', 'metadata'],
    ['http://metadata.google.internal/', 'metadata'],
    ['http://192.168.0.1/', 'address_private'],
    ['http://8.8.8.8/', 'scheme'],
    ['https://8.8.8.8:8080/', 'port'],
    ['http://[::ffff:127.0.0.1]/', 'address_ipv4_mapped'],
    ['http://[::1]:11434/', 'address_loopback'],
  ])('C50 %s is still refused by %s', (url, rule) => expect(open.checkUrl(url)).toEqual({ ok: false, rule }))

  test.each([
    ['http://ollama:11434/', ['10.0.0.9'], null],
    ['http://ollama:11434/', ['10.0.0.9', '8.8.8.8'], 'scheme'],
    ['https://api.example.com/', ['8.8.8.8', '2606:4700::1'], null],
    ['https://api.example.com/', ['8.8.8.8', '192.168.0.1'], 'address_private'],
    ['https://api.example.com/', ['8.8.8.8', '::1'], 'address_loopback'],
    ['https://api.example.com/', ['169.254.169.254'], 'metadata'],
    ['https://api.example.com/', ['fe80::1%eth0'], 'address_form'],
    ['https://api.example.com:9000/', ['8.8.8.8'], 'port'],
    ['https://api.example.com/', [], 'unresolvable'],
  ])('C50 %s resolving to %j is decided by every address: %s', async (url, addresses, rule) => {
    const egress = createEgress({ allowedPrivate: ['10.0.0.0/8'], ports: [], resolve: async () => addresses, now })
    const check = await egress.resolveAndCheckBase(url)
    expect(check.ok ? null : check.rule).toBe(rule)
  })
})

test('C50 8.8.8.8 passes the resolved check without being dialed', async () => {
  const egress = createEgress({ allowedPrivate: [], ports: [], resolve: async () => ['8.8.8.8'], now })
  expect(await egress.resolveAndCheckBase('https://dns.google/')).toMatchObject({ ok: true })
})

test('C50 a translator prefix the operator allowed is judged by the address behind it', () => {
  const guard = createAddressGuard(['64:ff9b::/96'])
  expect(guard.judge('64:ff9b::808:808').kind).toBe('public')
  expect(guard.judge('64:ff9b::7f00:1')).toEqual({ kind: 'refused', rule: 'address_loopback' })
  expect(guard.judge('64:ff9b::a9fe:a9fe')).toEqual({ kind: 'refused', rule: 'metadata' })
})

test.each(['0.0.0.0/0', '::/0', '10.0.0.0', 'localhost', '10.0.0.0/33', '2000::/3'])(
  'the private range %s is refused',
  (cidr) => {
    expect(() => createAddressGuard([cidr])).toThrow(RangeError)
  },
)

test('C50 every IPv4 address is judged alike however its number is written', () => {
  const guard = createAddressGuard([])
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (value) => {
      const dotted = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
      const verdict = guard.judge(dotted)
      const expected = verdict.kind === 'refused' ? verdict.rule : null
      for (const host of [dotted, `${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`]) {
        const check = strict.checkUrl(`https://${host}/`)
        expect(check.ok ? null : check.rule).toBe(expected)
      }
    }),
  )
})

test('C50 no IPv6 address outside global unicast passes, and none that is written as an IPv4 one', () => {
  const guard = createAddressGuard([])
  const group = fc.integer({ min: 0, max: 0xffff })
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const isGlobal = (groups[0] ?? 0) >> 13 === 1
      const verdict = guard.judge(groups.map((part) => part.toString(16)).join(':'))
      if (!isGlobal) expect(verdict.kind).toBe('refused')
    }),
  )
  fc.assert(
    fc.property(group, group, (high, low) => {
      expect(guard.judge(`::ffff:${high.toString(16)}:${low.toString(16)}`).kind).toBe('refused')
    }),
  )
})
