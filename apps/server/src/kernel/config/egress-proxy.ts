/** Settings of the proxy that calls to the outside go through. Tested in egress-proxy.test.ts. */
import { createDirectList } from '../net/direct-list.ts'
import { decoded, list, optional, type Setting, word } from './forms.ts'

export const egressProxySettings = {
  egressProxy: {
    env: 'PARAPET_EGRESS_PROXY',
    doc: 'Proxy for calls to the outside, asked by CONNECT: http://host:port or https://host:port, user and password in the address or in the file below. Variables such as HTTPS_PROXY are not read.',
    secret: true,
    read: proxyUrl,
  },
  egressProxyCredentialFile: {
    env: 'PARAPET_EGRESS_PROXY_CREDENTIAL_FILE',
    doc: 'File with the credential for it, user:password, read at each new connection, so that an agent may renew it.',
    read: optional,
  },
  egressProxyNames: {
    env: 'PARAPET_EGRESS_PROXY_NAMES',
    doc: 'Who resolves the names of what is called through it. `here`: all addresses of a name are checked, and the proxy is asked for a checked one. `proxy`: it is asked for the name and has to refuse what leads inside; for networks that cannot resolve names of the outside, and for proxies that allow by name.',
    read: word(['here', 'proxy'], 'here'),
  },
  egressNoProxy: {
    env: 'PARAPET_EGRESS_NO_PROXY',
    doc: 'Comma-separated names (example.com with all below it, .example.com for those alone), addresses and CIDRs that are called without it; this machine always is. They still have to be allowed.',
    read: directEntries,
  },
} as const satisfies Record<string, Setting<unknown>>

function proxyUrl(value: string | undefined): string | null {
  const text = optional(value)
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || `${url.pathname}${url.search}` !== '/')
    throw new Error('must be http://host:port or https://host:port, with user:password@ before the host where needed')
  // A faulty password is not printed either.
  for (const part of [url.username, url.password]) decoded(part)
  return url.href
}

function directEntries(value: string | undefined): readonly string[] {
  const entries = list(value)
  createDirectList(entries)
  return entries
}
