import { describe, expect, test } from 'vitest'
import { findService } from './find-service.ts'
import { entryOf, hostIndex, type Matchable } from './host-index.ts'
import { hostName } from './host-name.ts'
import { inForce } from './read-piece.ts'

test.each([
  ['Chat.OpenAI.com.', 'chat.openai.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['2001:0DB8:0:0::1', '2001:db8::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['_dns.resolver.arpa', '_dns.resolver.arpa'],
  ['a..b', null],
  ['.', null],
  ['-', null],
  ['evil\nhost', null],
  ['a b.example', null],
  ['"x".example', null],
  [`${'a'.repeat(254)}`, null],
])('the host %j is %j', (text, wanted) => {
  expect(hostName(text)).toBe(wanted)
})

const entry = (slug: string, ...hosts: string[]): Matchable => ({ slug, name: slug, category: 'chat', hosts })

describe('an index of hosts', () => {
  const index = hostIndex([
    entry('suffix', '.example.com'),
    entry('deeper', '.eu.example.com'),
    entry('exact', 'chat.example.com'),
    entry('path', 'www.example.org/ai', 'www.example.org/ai/chat'),
    entry('address', '203.0.113.9'),
  ])
  const found = (host: string, path = '') => entryOf(index, host, path)?.slug ?? null
  test('finds the host itself before the longest suffix, at labels only', () => {
    expect(found('example.com')).toBe('suffix')
    expect(found('a.b.example.com')).toBe('suffix')
    expect(found('x.eu.example.com')).toBe('deeper')
    expect(found('chat.example.com')).toBe('exact')
    expect(found('a.chat.example.com')).toBe('suffix')
    expect(found('notexample.com')).toBeNull()
    expect(found('203.0.113.9')).toBe('address')
    expect(found('com')).toBeNull()
  })

  test('finds prefixes of paths by whole segments', () => {
    expect(found('www.example.org', '/ai')).toBe('path')
    expect(found('www.example.org', '/ai/chat/1')).toBe('path')
    expect(found('www.example.org', '/airport')).toBeNull()
    expect(found('www.example.org')).toBeNull()
  })

  test('lets the later of two entries have a host', () => {
    const both = hostIndex([entry('shipped', '.a.example'), entry('own', '.a.example')])
    expect(entryOf(both, 'x.a.example', '')?.slug).toBe('own')
  })
})

describe('a service', () => {
  const index = hostIndex(inForce([]))
  const found = (host: string, path = '', port = 443) => findService(index, { host, path, port })
  test('of the catalog is known by its slug', () => {
    expect(found('chatgpt.com')).toMatchObject({ key: 'chatgpt', type: 'ai_service', slug: 'chatgpt', name: 'ChatGPT' })
    expect(found('my-company.openai.azure.com')?.key).toBe('azure-openai')
    expect(found('mcp.linear.app')).toMatchObject({ key: 'linear-mcp', type: 'mcp_server' })
    expect(found('api.githubcopilot.com', '/mcp/')).toMatchObject({ key: 'github-mcp', type: 'mcp_server' })
    expect(found('api.githubcopilot.com', '/chat')?.key).toBe('github-copilot')
    expect(found('huggingface.co', '/chat/x')?.key).toBe('huggingchat')
  })

  test.each([
    ['mcp.example.com', '', 'mcp:mcp.example.com'],
    ['tools.example.com', '/mcp', 'mcp:tools.example.com'],
    ['tools.example.com', '/v2/mcp/', 'mcp:tools.example.com'],
    ['tools.example.com', '/sse', 'mcp:tools.example.com'],
    ['registry.npmjs.org', '/@modelcontextprotocol%2fserver-github', 'package:@modelcontextprotocol/server-github'],
    ['registry.npmjs.org', '/@playwright/mcp/-/mcp-0.0.30.tgz', 'package:@playwright/mcp'],
    ['pypi.org', '/simple/mcp-server-git/', 'package:mcp-server-git'],
    ['files.pythonhosted.org', '/packages/aa/bb/mcp_server_fetch-1.0.tar.gz', 'package:mcp-server-fetch'],
  ])('of the Model Context Protocol is found at %s%s', (host, path, key) => {
    expect(found(host, path)).toMatchObject({ key, type: 'mcp_server', slug: null })
  })

  test.each([
    ['llm.corp.co.uk', '', 443, 'host:corp.co.uk'],
    ['10.1.2.3', '/v1/chat/completions', 8000, 'host:10.1.2.3'],
    ['10.1.2.3', '', 11_434, 'host:10.1.2.3'],
    ['my-gpt.github.io', '', 443, 'host:my-gpt.github.io'],
  ])('that no entry knows is told by its domain: %s%s', (host, path, port, key) => {
    expect(found(host, path, port)).toMatchObject({ key, type: 'ai_service', slug: null })
  })

  test.each([
    ['example.com', '/'],
    ['example.com', '/api/chat'],
    ['mcp.com', ''],
    ['registry.npmjs.org', '/express'],
    ['pypi.org', '/simple/requests/'],
    ['example.com', '/mcporter'],
    ['gptfoo.example.com', ''],
  ])('is not seen in %s%s', (host, path) => {
    expect(found(host, path)).toBeNull()
  })
})
