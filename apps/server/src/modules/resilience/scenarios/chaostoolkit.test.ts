import { expect, test } from 'vitest'
import { readChaostoolkit } from './chaostoolkit.ts'

/** After the tutorial of the Chaos Toolkit. */
const sample = {
  version: '1.0.0',
  title: 'What is the impact of an expired certificate?',
  description: 'If a certificate expires, we should gracefully deal with the issue.',
  tags: ['tls', 'tls'],
  configuration: { host: 'example.com' },
  'steady-state-hypothesis': {
    title: 'Application responds',
    probes: [
      { type: 'probe', name: 'file', tolerance: true, provider: { type: 'python', module: 'os.path', func: 'exists' } },
      {
        ...{ type: 'probe', name: 'answers', tolerance: 200 },
        provider: { type: 'http', url: 'https://example.com/health', timeout: 2 },
      },
      {
        type: 'probe',
        name: 'asks',
        tolerance: 200,
        provider: { type: 'http', method: 'POST', url: 'https://example.com' },
      },
      {
        type: 'probe',
        name: 'named',
        tolerance: 200,
        provider: { type: 'http', url: ['https://$', '{host}/'].join('') },
      },
    ],
  },
  method: [
    { type: 'action', name: 'swap', provider: { type: 'process', path: '/bin/sh', arguments: '-c "touch /tmp/x"' } },
    { type: 'action', name: 'call', provider: { type: 'http', url: 'https://example.com/kill', method: 'DELETE' } },
  ],
  rollbacks: [{ type: 'action', name: 'undo', provider: { type: 'python', module: 'x', func: 'y' } }],
}

test('HTTP probes run; programs, Python functions and steps are kept and listed', () => {
  const read = readChaostoolkit(sample)
  if (!('scenario' in read)) throw new Error(read.detail)
  const { scenario } = read
  expect(scenario).toMatchObject({ name: sample.title, tags: ['tls'] })
  expect(scenario.hypothesis).toEqual({
    title: 'Application responds',
    probes: [
      { name: 'answers', kind: 'http', url: 'https://example.com/health', tolerance: { type: 'equals', value: 200 } },
    ],
  })
  expect(scenario.not_executable.map(({ pointer, name }) => [pointer, name])).toEqual([
    ['/import/document/steady-state-hypothesis/probes/0', 'file'],
    ['/import/document/steady-state-hypothesis/probes/2', 'asks'],
    ['/import/document/steady-state-hypothesis/probes/3', 'named'],
    ['/import/document/method/0', 'swap'],
    ['/import/document/method/1', 'call'],
    ['/import/document/rollbacks/0', 'undo'],
  ])
})

test.each([
  [{}, '/import/document/title'],
  [{ title: 'x' }, '/import/document/method'],
  [{ title: 'x', method: {} }, '/import/document/method'],
  [{ title: 'x', method: [], 'steady-state-hypothesis': { probes: {} } }, '/import/document/steady-state-hypothesis'],
])('%j is no experiment', (document, pointer) => {
  expect(readChaostoolkit(document)).toMatchObject({ pointer })
})
