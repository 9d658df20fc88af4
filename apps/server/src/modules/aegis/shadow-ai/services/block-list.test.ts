import { createContext, Script } from 'node:vm'
import { expect, test } from 'vitest'
import { type BlockedService, blockList } from './block-list.ts'

const services: readonly BlockedService[] = [
  { name: 'Suffix', hosts: ['.chatgpt.com', 'chat.openai.com'], seen: ['chatgpt.com', 'cdn.chatgpt.com'] },
  { name: 'Path', hosts: ['github.com/copilot'], seen: ['github.com'] },
  { name: 'Unknown', hosts: [], seen: ['llm.example.org', '203.0.113.9', '2001:db8::1', 'bad"); alert(1); ("'] },
]

test('the auto-configuration blocks hosts and domains, and nothing else', () => {
  const context = createContext({})
  new Script(blockList('pac', services)).runInContext(context)
  const ask = (host: string) =>
    String(
      new Script(`FindProxyForURL(${JSON.stringify(`https://${host}/`)}, ${JSON.stringify(host)})`).runInContext(
        context,
      ),
    )
  for (const host of [
    'chatgpt.com',
    'a.b.ChatGPT.com',
    'chat.openai.com',
    'llm.example.org',
    '203.0.113.9',
    '2001:db8::1',
  ])
    expect(ask(host), host).toBe('PROXY 127.0.0.1:9')
  for (const host of ['notchatgpt.com', 'openai.com', 'api.openai.com', 'github.com', 'example.org', 'constructor', ''])
    expect(ask(host), host).toBe('DIRECT')
})

test('the hosts file names each host for both families, and says what it leaves out', () => {
  const text = blockList('hosts', services)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const names = lines.map((line) => line.split(' '))
  expect(names.every(([address]) => address === '0.0.0.0' || address === '::')).toBe(true)
  expect([...new Set(names.map(([, name]) => name))]).toEqual([
    ...['cdn.chatgpt.com', 'chat.openai.com', 'chatgpt.com', 'llm.example.org'],
  ])
  expect(text).toContain('#   github.com/copilot')
  expect(text).toContain('203.0.113.9')
})

test('the policy zone has a record for each name, its wildcard, and addresses', () => {
  const records = blockList('rpz', services)
    .split('\n')
    .filter((line) => line !== '' && !/^[;$@]/.test(line))
    .map((line) => line.split(' '))
  expect(records.every(([, type, target]) => type === 'CNAME' && target === '.')).toBe(true)
  expect(records.map(([owner]) => owner)).toEqual([
    ...['chat.openai.com', 'llm.example.org', 'chatgpt.com', '*.chatgpt.com', '32.9.113.0.203.rpz-ip'],
  ])
})

test('no services make a valid list', () => {
  expect(blockList('hosts', []).startsWith('#')).toBe(true)
  const context = createContext({})
  new Script(blockList('pac', [])).runInContext(context)
  expect(new Script('FindProxyForURL("http://a/", "a")').runInContext(context)).toBe('DIRECT')
})
